const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type Interruption = {
  /** What the command was told to end with; null while it was not. */
  readonly signal: () => NodeJS.Signals | null;
  /** The work's own result, or a rejection as soon as the command is told to end. */
  readonly orTold: <Result>(work: Promise<Result>) => Promise<Result>;
  readonly stopWatching: () => void;
};

/** Gives a command that is told to end the time to clean up. A second signal ends the process at once. */
export function watchForSignals(): Interruption {
  let received: NodeJS.Signals | null = null;
  let tell: (error: Error) => void = () => {};
  const told = new Promise<never>((_resolve, reject) => {
    tell = reject;
  });
  // A signal while nobody waits is no failure of its own: whoever begins to wait is told.
  told.catch(() => {});
  const stopWatching = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    stopWatching();
    received = signal;
    tell(new Error(`Interrupted by ${signal}.`));
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { signal: () => received, orTold: (work) => Promise.race([work, told]), stopWatching };
}
