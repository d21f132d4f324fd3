import { FILE_MILLISECONDS, JOB_MILLISECONDS } from "./job.ts";
import type { TaskContext } from "./kind.ts";
import { openJobRunner, type RunnerOptions } from "./runner.ts";
import { sweepJobs } from "./store.ts";

export type Chore = { readonly name: string; readonly everyMilliseconds: number; readonly run: () => Promise<unknown> };
export type Chores = { readonly chores: readonly Chore[]; readonly close: () => Promise<void> };

/** Runs the jobs of a shelf and takes away the old ones. Every process may do it. */
export function jobChores<Context extends TaskContext>(name: string, ctx: Context, options: RunnerOptions<Context>): Chores {
  const runner = openJobRunner(ctx, options);
  const sweep = () => {
    const now = ctx.clock.now();
    return sweepJobs(ctx.sql, options.shelf, new Date(now - FILE_MILLISECONDS), new Date(now - JOB_MILLISECONDS));
  };
  return {
    chores: [
      { name: `${name} jobs`, everyMilliseconds: 500, run: runner.look },
      { name: `old ${name} jobs`, everyMilliseconds: 600_000, run: sweep },
    ],
    close: runner.close,
  };
}
