const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs work that cleans up when a signal asks the command to end. The same signal again ends the command at once. */
export async function withInterruption<Result>(work: (interrupted: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = (signal: NodeJS.Signals) => controller.abort(new Error(`The command was interrupted by ${signal}. Run it again.`));
  for (const signal of SIGNALS) process.once(signal, abort);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, abort);
  }
}

/** The result of the work, unless a signal comes first. Then the work is abandoned. */
export async function unlessInterrupted<Result>(work: Promise<Result>, interrupted: AbortSignal): Promise<Result> {
  const ended = new Promise<never>((_, reject) => {
    if (interrupted.aborted) reject(interrupted.reason);
    else interrupted.addEventListener("abort", () => reject(interrupted.reason), { once: true });
  });
  return await Promise.race([work, ended]);
}
