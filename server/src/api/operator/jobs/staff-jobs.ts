import type { StaffRole } from "../../../domain/auth/user.ts";
import { bulkJobKind } from "../../../domain/bulk/bulk-job.ts";
import { resendCallbacks } from "../../../domain/bulk/resend-callbacks.ts";
import { requeryOrders, settleOrders } from "../../../domain/bulk/run-orders.ts";
import { sweepItemsOfCell, sweepSelections } from "../../../domain/bulk/store.ts";
import { type BackgroundJobs, createJobRunnerJobs } from "../../../domain/jobs/background-jobs.ts";
import { JOB_MILLISECONDS } from "../../../domain/jobs/job.ts";
import { EXPORT_KIND, exportItems } from "../../../domain/reconciliation/export-items.ts";
import { runReconciliation } from "../../../domain/reconciliation/run-reconciliation.ts";
import { SETTLE_KIND, settleItems } from "../../../domain/reconciliation/settle-items.ts";
import { RUN_KIND } from "../../../domain/reconciliation/start-run.ts";
import { sweepUploads } from "../../../domain/reconciliation/store.ts";
import { HOME_CELL } from "../../../platform/core/ids.ts";
import { ADMINS, SETTLERS, SUPPORT, WORKERS } from "../access.ts";
import { RECOVER, recoverJob } from "../callbacks/recover-job.ts";
import { exportOrders } from "../orders/export-orders.ts";
import { exportStatement, STATEMENT_EXPORT } from "../pricing/export-statement.ts";
import type { StaffKind, StaffWorkContext } from "./staff-context.ts";

/** All kinds of staff jobs. */
export const STAFF_KINDS: Readonly<Record<string, StaffKind>> = {
  [RUN_KIND]: { run: runReconciliation, who: SETTLERS },
  [SETTLE_KIND]: { run: settleItems, who: SETTLERS },
  [EXPORT_KIND]: { run: exportItems, who: SETTLERS },
  [RECOVER]: recoverJob,
  [bulkJobKind("requery")]: { run: requeryOrders, who: SETTLERS },
  [bulkJobKind("settle")]: { run: settleOrders, who: SETTLERS },
  [bulkJobKind("resend")]: { run: resendCallbacks, who: SUPPORT },
  [STATEMENT_EXPORT]: { run: exportStatement, who: WORKERS },
  orders_export: { run: exportOrders, who: WORKERS },
};

/** The roles that may handle a job. Jobs of an unknown kind are left to admins. */
export function whoMay(kind: string): readonly StaffRole[] {
  return STAFF_KINDS[kind]?.who ?? ADMINS;
}

// No upload takes this long. An older one was interrupted.
const UPLOAD_MILLISECONDS = 60 * 60 * 1000;
// A preview that nobody started is of no use on the next day.
const PREVIEW_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Runs the staff's background jobs. Several processes may run them at the same time. */
export function createStaffJobs(ctx: StaffWorkContext): BackgroundJobs {
  const kinds = Object.fromEntries(Object.entries(STAFF_KINDS).map(([name, { run }]) => [name, run]));
  const runner = createJobRunnerJobs("staff", ctx, { owner: "staff", kinds });
  const sweep = () => sweepUploads(ctx.sql, new Date(ctx.clock.now() - UPLOAD_MILLISECONDS));
  const sweepBulk = async () => {
    const now = ctx.clock.now();
    const previewed = new Date(now - PREVIEW_MILLISECONDS);
    await sweepSelections(ctx.sql, previewed, new Date(now - JOB_MILLISECONDS));
    const others = ctx.reachedCells?.().filter(({ cell }) => cell !== HOME_CELL) ?? [];
    for (const { sql } of others) await sweepItemsOfCell(ctx.sql, sql, previewed);
  };
  const periodic = [
    { name: "broken uploads", everyMilliseconds: 600_000, run: sweep },
    { name: "old bulk selections", everyMilliseconds: 600_000, run: sweepBulk },
  ];
  return {
    jobs: [...runner.jobs, ...periodic],
    close: runner.close,
  };
}
