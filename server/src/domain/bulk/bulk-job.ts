import { z } from "zod";
import type { Transaction } from "../../platform/db/connection.ts";
import type { Agreed } from "../approvals/approval.ts";
import { approvedDetails } from "../approvals/approval.ts";
import type { Executor } from "../approvals/context.ts";
import type { Job } from "../jobs/job.ts";
import type { JobContext } from "../jobs/kind.ts";
import { type NewJob, putJob } from "../jobs/start-job.ts";
import type { BulkAction } from "./selection.ts";
import { markStarted } from "./store.ts";

/** What a job of a bulk action was asked for. */
export const bulkInput = z.object({
  selection_id: z.string(),
  count: z.number(),
  amount: z.string(),
  reason: z.string(),
  /** For `settle`. */
  status: z.enum(["SUCCESS", "FAILED"]).nullable(),
  approval_id: z.string().nullable(),
  made_by: z.string().nullable(),
});
export type BulkInput = z.infer<typeof bulkInput>;

const KINDS = { requery: "bulk_requery", settle: "bulk_settle", resend: "bulk_resend" } as const satisfies Record<BulkAction, string>;
const AUDITED = { requery: "orders.requerying", settle: "orders.settling", resend: "callbacks.resending" } as const;

export function bulkJobKind(action: BulkAction): string {
  return KINDS[action];
}

type StartContext = Pick<JobContext, "sql" | "clock" | "ids">;

/** Starts the job of a selection as the last change of the transaction. Null if the selection was started before. */
export async function startBulkJob(
  ctx: StartContext,
  tx: Transaction,
  actor: string,
  action: BulkAction,
  input: BulkInput,
): Promise<Job | null> {
  if (!(await markStarted(tx, input.selection_id, new Date(ctx.clock.now())))) return null;
  const kind = KINDS[action];
  const audit = { actor, action: AUDITED[action], subject: { kind: "installation", id: "jobs" } } as const;
  const job: NewJob = { owner: "staff", queue: kind, askedBy: actor, kind, input, audit };
  return await putJob(ctx, tx, job);
}

/** Carries out an approved settlement of many orders: starts its job on behalf of the approver. */
export function bulkSettleExecutor(ctx: StartContext): Executor {
  return {
    run: async (tx, approval: Agreed) => {
      const input = { ...bulkInput.parse(approval.input), ...approvedDetails(approval) };
      const job = await startBulkJob(ctx, tx, approval.decidedBy, "settle", input);
      return job === null
        ? { kind: "failed", reason: "The selection was carried out in the meantime." }
        : { kind: "done", result: { job_id: job.jobId } };
    },
  };
}
