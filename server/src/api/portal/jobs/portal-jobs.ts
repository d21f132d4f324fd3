import { type BackgroundJobs, createJobRunnerJobs } from "../../../domain/jobs/background-jobs.ts";
import { type NoticesContext, tellOwners } from "../notices/notify-owners.ts";
import { type AlertContext, watchBalances } from "../wallet/balance-alert.ts";
import { PORTAL_KINDS, type WorkContext } from "./kinds.ts";

/** Background jobs of the portal. Several processes may run them at the same time. */
export function createPortalJobs(ctx: WorkContext & AlertContext & NoticesContext): BackgroundJobs {
  const runner = createJobRunnerJobs("portal", ctx, { owner: "client", kinds: PORTAL_KINDS });
  return {
    jobs: [
      ...runner.jobs,
      { name: "balance alerts", everyMilliseconds: 5_000, run: () => watchBalances(ctx) },
      { name: "owner notices", everyMilliseconds: 5_000, run: () => tellOwners(ctx) },
    ],
    close: runner.close,
  };
}
