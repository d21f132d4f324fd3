export type Loop = {
  /** Runs now; calls during a run are one more run after it. */
  readonly wake: () => void;
  /** No more runs; waits for the one under way. */
  readonly stop: () => Promise<void>;
};

/** Runs again and again, never twice at once. Each run answers after how many milliseconds the next one is due. */
export function startLoop(run: () => Promise<number>): Loop {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    if (running) again = true;
    if (running || stopped) return;
    clearTimeout(timer);
    again = false;
    running = run().then((delay) => {
      running = null;
      if (again) wake();
      else if (!stopped) timer = setTimeout(wake, delay);
    });
  }

  wake();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
