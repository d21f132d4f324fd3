export type Interruption = {
  /** Whether the command was told to end. */
  readonly happened: () => boolean;
  /** From now on a signal ends the process as usual. */
  readonly ignore: () => void;
};

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Calls `stop` when the command is told to end, so that it can clean up. A second signal ends the process at once. */
export function onInterruption(stop: () => void): Interruption {
  let happened = false;
  const ignore = () => {
    for (const signal of SIGNALS) process.removeListener(signal, told);
  };
  const told = () => {
    happened = true;
    ignore();
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, told);
  return { happened: () => happened, ignore };
}
