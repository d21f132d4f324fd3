import type { StaffRole } from "../../../domain/auth/user.ts";
import { type BackgroundJobs, createJobRunnerJobs } from "../../../domain/jobs/background-jobs.ts";
import { EXPORT_KIND, exportItems } from "../../../domain/reconciliation/export-items.ts";
import { runReconciliation } from "../../../domain/reconciliation/run-reconciliation.ts";
import { SETTLE_KIND, settleItems } from "../../../domain/reconciliation/settle-items.ts";
import { RUN_KIND } from "../../../domain/reconciliation/start-run.ts";
import { sweepUploads } from "../../../domain/reconciliation/store.ts";
import { ADMINS, SETTLERS, WORKERS } from "../access.ts";
import { RECOVER, recoverJob } from "../callbacks/recover-job.ts";
import { exportOrders } from "../orders/export-orders.ts";
import type { StaffKind, StaffWorkContext } from "./staff-context.ts";

/** All kinds of staff jobs. */
export const STAFF_KINDS: Readonly<Record<string, StaffKind>> = {
  [RUN_KIND]: { run: runReconciliation, who: SETTLERS },
  [SETTLE_KIND]: { run: settleItems, who: SETTLERS },
  [EXPORT_KIND]: { run: exportItems, who: SETTLERS },
  [RECOVER]: recoverJob,
  orders_export: { run: exportOrders, who: WORKERS },
};

/** The roles that may handle a job. Jobs of an unknown kind are left to admins. */
export function whoMay(kind: string): readonly StaffRole[] {
  return STAFF_KINDS[kind]?.who ?? ADMINS;
}

// No upload takes this long. An older one was interrupted.
const UPLOAD_MILLISECONDS = 60 * 60 * 1000;

/** Runs the staff's background jobs. Several processes may run them at the same time. */
export function createStaffJobs(ctx: StaffWorkContext): BackgroundJobs {
  const kinds = Object.fromEntries(Object.entries(STAFF_KINDS).map(([name, { run }]) => [name, run]));
  const runner = createJobRunnerJobs("staff", ctx, { owner: "staff", kinds });
  const sweep = () => sweepUploads(ctx.sql, new Date(ctx.clock.now() - UPLOAD_MILLISECONDS));
  return {
    jobs: [...runner.jobs, { name: "broken uploads", everyMilliseconds: 600_000, run: sweep }],
    close: runner.close,
  };
}
