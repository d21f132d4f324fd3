import { createShortLivedSet } from "../../../platform/core/short-lived.ts";
import { onAbort } from "../wire/on-abort.ts";

/** Timers that do not keep the process alive and are cleared together. */
export type Timers = {
  readonly later: (milliseconds: number, run: () => void) => void;
  /** True after the time; false when the wait was aborted or all timers were cleared. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly close: () => void;
};

export function createTimers(): Timers {
  const running = createShortLivedSet<() => void>();
  let closed = false;

  /** Returns the function that drops the timer. */
  function start(milliseconds: number, run: () => void, dropped: () => void): () => void {
    const timer = setTimeout(() => {
      remove();
      run();
    }, milliseconds).unref();
    const drop = () => {
      remove();
      clearTimeout(timer);
      dropped();
    };
    const remove = running.add(drop);
    return drop;
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
        const drop = start(
          milliseconds,
          () => settle(true),
          () => settle(false),
        );
        const forget = onAbort(signal, drop);
      }),
    close: () => {
      closed = true;
      for (const drop of running.items()) drop();
    },
  };
}
