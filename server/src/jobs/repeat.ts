import type { Log } from "../observe/log.ts";

export type Repeated = {
  readonly name: string;
  readonly everyMilliseconds: number;
  readonly run: () => Promise<unknown>;
  /** How many times as long as a run took nothing is done after it: the share of a job whose work grows with the data. */
  readonly restTimes?: number;
};

/** Runs a job again and again, never twice at once. Answers how to end it, which waits for a run under way. */
export function repeat(job: Repeated, log: Log): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  let restsUntil = 0;
  const timer = setInterval(() => {
    const startedAt = performance.now();
    if (running !== null || startedAt < restsUntil) return;
    running = job
      .run()
      .catch((error: unknown) => log.warn({ err: error, job: job.name }, "a job failed; it runs again"))
      .finally(() => {
        restsUntil = performance.now() + (performance.now() - startedAt) * (job.restTimes ?? 0);
        running = null;
      });
  }, job.everyMilliseconds);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
