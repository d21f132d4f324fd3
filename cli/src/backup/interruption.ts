const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type Interruption = {
  /** The received signal; null if there was none. */
  readonly signal: () => NodeJS.Signals | null;
  /** Resolves with the work's result, or rejects as soon as a signal arrives. */
  readonly orInterrupted: <Result>(work: Promise<Result>) => Promise<Result>;
  readonly stopWatching: () => void;
};

/** Lets a command clean up after a signal. A second signal ends the process at once. */
export function watchForSignals(): Interruption {
  let received: NodeJS.Signals | null = null;
  let tell: (error: Error) => void = () => {};
  const interrupted = new Promise<never>((_resolve, reject) => {
    tell = reject;
  });
  // A signal while nothing is awaited is reported to the next `orInterrupted`.
  interrupted.catch(() => {});
  const stopWatching = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    stopWatching();
    received = signal;
    tell(new Error(`Interrupted by ${signal}.`));
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { signal: () => received, orInterrupted: (work) => Promise.race([work, interrupted]), stopWatching };
}
