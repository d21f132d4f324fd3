import { onAbort } from "../wire/on-abort.ts";

/** Timers that do not keep the process alive and are cleared together. */
export type Timers = {
  readonly later: (milliseconds: number, run: () => void) => void;
  /** True after the time; false when the wait was aborted or all timers were cleared. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly close: () => void;
};

export function createTimers(): Timers {
  const running = new Map<NodeJS.Timeout, () => void>();
  let closed = false;

  function start(milliseconds: number, run: () => void, dropped: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      running.delete(timer);
      run();
    }, milliseconds).unref();
    running.set(timer, dropped);
    return timer;
  }

  function drop(timer: NodeJS.Timeout): void {
    const dropped = running.get(timer);
    running.delete(timer);
    clearTimeout(timer);
    dropped?.();
  }

  return {
    later: (milliseconds, run) => {
      if (!closed) start(milliseconds, run, () => {});
    },
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (closed || signal.aborted) return resolve(false);
        const settle = (waited: boolean) => {
          forget();
          resolve(waited);
        };
        const timer = start(
          milliseconds,
          () => settle(true),
          () => settle(false),
        );
        const forget = onAbort(signal, () => drop(timer));
      }),
    close: () => {
      closed = true;
      for (const timer of [...running.keys()]) drop(timer);
    },
  };
}
