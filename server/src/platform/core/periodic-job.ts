import type { JobStatuses } from "../observability/job-statuses.ts";
import type { Log } from "../observability/log.ts";
import { ALWAYS_ACTIVE, type FollowedActivity, startInterval } from "./activity.ts";

/** A job that one process runs at a fixed interval. */
export type PeriodicJob = {
  readonly name: string;
  readonly everyMilliseconds: number;
  readonly run: () => Promise<unknown>;
  /** Resolves when nothing that earlier runs have started is still going on. Stopping the job waits for it. */
  readonly drained?: () => Promise<void>;
  /** The interval while nothing happens in the process. When something does, the usual interval begins. */
  readonly quietMilliseconds?: number;
  /** Also runs at once when the process becomes active: due work that was found meanwhile must not wait for the interval. */
  readonly atActivity?: boolean;
  /** After a run, the job pauses for this many times its duration. It bounds the cost of a job that grows with the data. */
  readonly restFactor?: number;
  /** Also runs at once: what was missed while no process ran must not wait for the first interval. */
  readonly atStart?: boolean;
};

// The fractional parts of its multiples are spread evenly between 0 and 1, however many there are.
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
// Jobs with longer intervals rarely coincide.
const SPREAD_MILLISECONDS = 10_000;
let started = 0;

/** Spreads the jobs of a process over their interval. If all ran at the same moment, requests of that moment would wait for them. */
function nextPhase(everyMilliseconds: number): number {
  return everyMilliseconds > SPREAD_MILLISECONDS ? 1 : 1 - ((started++ * GOLDEN_RATIO) % 1);
}

/** Runs a job periodically, never twice at the same time. The returned function stops it and waits for the current run. */
export function startPeriodicJob(
  job: PeriodicJob,
  log: Pick<Log, "warn">,
  jobStatuses: JobStatuses,
  activity: FollowedActivity = ALWAYS_ACTIVE,
): () => Promise<void> {
  jobStatuses.expect(job.name, job.everyMilliseconds);
  let running: Promise<unknown> | null = null;
  let restsUntil = 0;
  const run = () => {
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
        log.warn({ err: error, job: job.name }, "background job failed; it will run again");
        // The job runs again soon, and so does what raises the alert.
        activity.note();
        ended(error);
      },
    );
  };
  const { everyMilliseconds, quietMilliseconds = everyMilliseconds } = job;
  const stopTimer = startInterval(run, { everyMilliseconds, quietMilliseconds, phase: nextPhase(everyMilliseconds) }, activity);
  const unsubscribe = activity.onChange((isQuiet) => {
    if (!isQuiet && job.atActivity === true) run();
  });
  if (job.atStart === true) run();
  return async () => {
    unsubscribe();
    stopTimer();
    await running;
    await job.drained?.();
  };
}
