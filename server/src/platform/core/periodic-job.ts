import type { JobStatuses } from "../observability/job-statuses.ts";
import type { Log } from "../observability/log.ts";

export type PeriodicJob = {
  readonly name: string;
  readonly everyMilliseconds: number;
  readonly run: () => Promise<unknown>;
  /** How many times as long as a run took nothing is done after it: the share of a job whose work grows with the data. */
  readonly restFactor?: number;
};

/** Runs a job again and again, never twice at once. Answers how to end it, which waits for a run under way. */
export function startPeriodicJob(job: PeriodicJob, log: Log, jobStatuses: JobStatuses): () => Promise<void> {
  jobStatuses.expect(job.name, job.everyMilliseconds);
  let running: Promise<unknown> | null = null;
  let restsUntil = 0;
  const timer = setInterval(() => {
    const startedAt = performance.now();
    if (running !== null || startedAt < restsUntil) return;
    const ended = (error: unknown) => {
      const tookMilliseconds = performance.now() - startedAt;
      jobStatuses.ran(job.name, { tookMilliseconds, error });
      restsUntil = performance.now() + tookMilliseconds * (job.restFactor ?? 0);
      running = null;
    };
    running = job.run().then(
      () => ended(null),
      (error: unknown) => {
        log.warn({ err: error, job: job.name }, "a job failed; it runs again");
        ended(error);
      },
    );
  }, job.everyMilliseconds);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
