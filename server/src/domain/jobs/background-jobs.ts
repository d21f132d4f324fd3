import type { PeriodicJob } from "../../platform/core/periodic-job.ts";
import { FILE_MILLISECONDS, JOB_MILLISECONDS } from "./job.ts";
import type { JobContext } from "./kind.ts";
import { createJobRunner, type RunnerOptions } from "./runner.ts";
import { sweepJobs } from "./store.ts";

export type BackgroundJobs = { readonly jobs: readonly PeriodicJob[]; readonly close: () => Promise<void> };

/** The periodic jobs that run the queued jobs of an owner and delete old ones. Every process may run them. */
export function createJobRunnerJobs<Context extends JobContext>(
  name: string,
  ctx: Context,
  options: RunnerOptions<Context>,
): BackgroundJobs {
  const runner = createJobRunner(ctx, options);
  const sweep = () => {
    const now = ctx.clock.now();
    return sweepJobs(ctx.sql, options.owner, new Date(now - FILE_MILLISECONDS), new Date(now - JOB_MILLISECONDS));
  };
  return {
    jobs: [
      { name: `${name} jobs`, everyMilliseconds: 1_000, quietMilliseconds: 60_000, atActivity: true, run: runner.look },
      { name: `old ${name} jobs`, everyMilliseconds: 600_000, run: sweep },
    ],
    close: runner.close,
  };
}
