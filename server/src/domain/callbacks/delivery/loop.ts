export type Loop = {
  /** Runs now. Calls during a run lead to one more run after it. */
  readonly wake: () => void;
  /** Prevents further runs and waits for the current one. */
  readonly stop: () => Promise<void>;
};

/** Durations in milliseconds. */
export type Pause = {
  /** Time until the next run if nothing wakes the loop. */
  readonly delay: number;
  /** Minimum time until the next run, so that several wake-ups are handled together. */
  readonly rest: number;
};

/** Calls `run` repeatedly, never twice at once. */
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
