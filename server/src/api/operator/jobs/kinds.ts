import type { StaffRole } from "../../../domain/auth/user.ts";
import type { JobContext, JobKind } from "../../../domain/jobs/kind.ts";
import { EXPORT_KIND, exportItems } from "../../../domain/reconciliation/export-items.ts";
import { runReconciliation } from "../../../domain/reconciliation/run-reconciliation.ts";
import { SETTLE_KIND, settleItems } from "../../../domain/reconciliation/settle-items.ts";
import { RUN_KIND } from "../../../domain/reconciliation/start-run.ts";
import { ADMINS, SETTLERS, WORKERS } from "../access.ts";
import { RECOVER, recoverJob } from "../callbacks/recover-job.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { exportOrders } from "../orders/export-orders.ts";

/** The context of staff jobs. */
export type StaffWorkContext = OperatorApiDependencies & JobContext;

export type StaffKind = {
  readonly run: JobKind<StaffWorkContext>;
  /** The roles that may cancel the job and download its file. All roles see its progress. */
  readonly who: readonly StaffRole[];
};

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
