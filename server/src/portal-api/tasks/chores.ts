import { type AlertContext, watchBalances } from "../daily/balance-alert.ts";
import { FILE_MILLISECONDS, JOB_MILLISECONDS } from "./job.ts";
import type { WorkContext } from "./kinds.ts";
import { openJobRunner } from "./runner.ts";
import { sweepJobs } from "./store.ts";

export type Chore = { readonly name: string; readonly everyMilliseconds: number; readonly run: () => Promise<unknown> };
export type Chores = { readonly chores: readonly Chore[]; readonly close: () => Promise<void> };

/** What the portal has to do without being asked. Every process may do it. */
export function openChores(ctx: WorkContext & AlertContext): Chores {
  const runner = openJobRunner(ctx);
  const sweep = () => {
    const now = ctx.clock.now();
    return sweepJobs(ctx.sql, new Date(now - FILE_MILLISECONDS), new Date(now - JOB_MILLISECONDS));
  };
  return {
    chores: [
      { name: "portal jobs", everyMilliseconds: 500, run: runner.look },
      { name: "balance alerts", everyMilliseconds: 5_000, run: () => watchBalances(ctx) },
      { name: "old exports", everyMilliseconds: 600_000, run: sweep },
    ],
    close: runner.close,
  };
}
