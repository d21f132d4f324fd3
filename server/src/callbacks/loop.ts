export type Loop = {
  /** Runs now; calls during a run are one more run after it. */
  readonly wake: () => void;
  /** No more runs; waits for the one under way. */
  readonly stop: () => Promise<void>;
};

const MAX_REST_MILLISECONDS = 20;

/**
 * Runs again and again, never twice at once, and rests as long as it ran: what wakes it meanwhile is then done together.
 * Each run answers after how many milliseconds the next one is due.
 */
export function startLoop(run: () => Promise<number>): Loop {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let restsUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function schedule(milliseconds: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(start, milliseconds);
  }

  function start(): void {
    clearTimeout(timer);
    again = false;
    const startedAt = performance.now();
    running = run().then((delay) => {
      running = null;
      const endedAt = performance.now();
      const rest = Math.min(MAX_REST_MILLISECONDS, endedAt - startedAt);
      restsUntil = endedAt + rest;
      schedule(again ? rest : delay);
    });
  }

  function wake(): void {
    if (again || stopped) return;
    again = true;
    if (running) return;
    const rest = restsUntil - performance.now();
    if (rest > 0) schedule(rest);
    else start();
  }

  start();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
