export type Loop = {
  /** Runs now; calls during a run are one more run after it. */
  readonly wake: () => void;
  /** No more runs; waits for the one under way. */
  readonly stop: () => Promise<void>;
};

/** In milliseconds. */
export type Pause = {
  /** Until the next run, when nobody wakes it. */
  readonly delay: number;
  /** Until the next run at the earliest: what wakes it meanwhile is done together. */
  readonly rest: number;
};

/** Runs again and again, never twice at once. */
export function startLoop(run: () => Promise<Pause>): Loop {
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
    running = run().then(({ delay, rest }) => {
      running = null;
      restsUntil = performance.now() + rest;
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
