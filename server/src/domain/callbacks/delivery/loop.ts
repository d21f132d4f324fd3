export type Loop = {
  /** Runs now. Calls during a run lead to one more run after it. */
  readonly wake: () => void;
  /** Prevents further runs and waits for the current one. */
  readonly stop: () => Promise<void>;
};

export type Pause = {
  /** Time until the next run if nothing wakes the loop. */
  readonly delayMilliseconds: number;
  /** Minimum time until the next run, so that several wake-ups are handled together. */
  readonly restMilliseconds: number;
};

/** Calls `run` repeatedly, never twice at once. */
export function startLoop(run: () => Promise<Pause>): Loop {
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  let restsUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function schedule(milliseconds: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(start, milliseconds);
  }

  function start(): void {
    clearTimeout(timer);
    isWoken = false;
    running = run().then(({ delayMilliseconds, restMilliseconds }) => {
      running = null;
      restsUntil = performance.now() + restMilliseconds;
      schedule(isWoken ? restMilliseconds : delayMilliseconds);
    });
  }

  function wake(): void {
    if (isWoken || isStopped) return;
    isWoken = true;
    if (running) return;
    const restMilliseconds = restsUntil - performance.now();
    if (restMilliseconds > 0) schedule(restMilliseconds);
    else start();
  }

  start();
  return {
    wake,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
