import { z } from "zod";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { type Agreed, approvedDetails } from "../approvals/approval.ts";
import type { Executor } from "../approvals/context.ts";
import type { Job } from "../jobs/job.ts";
import type { JobContext, JobControl } from "../jobs/kind.ts";
import { type NewJob, putJob } from "../jobs/start-job.ts";
import { type ItemFilter, listItems, sumItems } from "./item.ts";
import type { ReconciliationContext } from "./reconciliation.ts";
import { type SettleContext, settleItem } from "./settle-item.ts";
import { findReconciliation } from "./store.ts";

export const SETTLE_KIND = "reconcile_settle";

/** The items of a run to settle: one, or all settleable ones that match. */
export const settleInput = z.object({
  reconciliation_id: z.string(),
  /** The run that they belong to, because another run has other items. */
  run: z.string(),
  reason: z.string(),
  item: z.number().nullable(),
  status: z.enum(["SUCCESS", "FAILED"]).nullable(),
  search: z.string().nullable(),
  approval_id: z.string().nullable(),
  made_by: z.string().nullable(),
});
export type SettleInput = z.infer<typeof settleInput>;

const settlePlace = z.object({ after: z.number(), settled: z.number(), left: z.number() });

const AT_ONCE = 25;

/** Settles the items one by one, each in its own transaction. Items that can no longer be settled are skipped and counted. */
export async function settleItems(ctx: SettleContext & JobContext, job: Job, control: JobControl): Promise<JsonObject> {
  const input = settleInput.parse(job.input);
  const { reconciliation_id: id, reason, approval_id, made_by } = input;
  const reconciliation = await findReconciliation(ctx.sql, id);
  if (reconciliation?.jobId !== input.run)
    return { settled: 0, message: "The file was run again or deleted in the meantime. Nothing was settled." };
  let place = job.place === null ? { after: 0, settled: 0, left: 0 } : settlePlace.parse(job.place);
  const total = place.settled + place.left + (await sumItems(ctx.sql, id, filterOf(input))).count;
  const approved = approval_id === null ? {} : { approved: { approval_id, made_by } };
  for (let more = true; more && !control.stopped(); ) {
    const items = await listItems(ctx.sql, id, { ...filterOf(input), after: place.after, limit: AT_ONCE });
    for (const item of items) {
      const result = await settleItem(ctx, job.askedBy, { reconciliationId: id, item: item.item, reason, ...approved });
      const done = result.kind === "done" ? 1 : 0;
      place = { after: item.item, settled: place.settled + done, left: place.left + 1 - done };
    }
    await control.save({ done: place.settled + place.left, total, place });
    more = items.length === AT_ONCE;
  }
  return { reconciliation_id: id, settled: place.settled, left: place.left, message: messageOf(place) };
}

function messageOf({ settled, left }: { readonly settled: number; readonly left: number }): string {
  const first = settled === 1 ? "1 order was settled." : `${settled} orders were settled.`;
  return left === 0 ? first : `${first} ${left} had been settled otherwise in the meantime.`;
}

function filterOf({ item, status, search }: SettleInput): ItemFilter {
  return {
    canSettle: true,
    ...(item === null ? {} : { item }),
    ...(status === null ? {} : { status }),
    ...(search === null ? {} : { search }),
  };
}

/** The job that settles them, on behalf of the requester or the approver. */
export function settleJob(input: SettleInput, actor: string): NewJob {
  const subject = { kind: "reconciliation", id: input.reconciliation_id } as const;
  const audit = { actor, action: "reconciliation.settling", subject };
  return { owner: "staff", queue: SETTLE_KIND, askedBy: actor, kind: SETTLE_KIND, input, audit };
}

/** The executor of such approvals: starts the job on behalf of the approver. */
export function settleExecutor(ctx: ReconciliationContext): Executor {
  return {
    run: async (tx, approval: Agreed) => {
      const input = settleInput.parse(approval.input);
      const reconciliation = await findReconciliation(tx, input.reconciliation_id);
      if (reconciliation?.jobId !== input.run) return { kind: "failed", reason: "The file was run again or deleted in the meantime." };
      const job = await putJob(ctx, tx, settleJob({ ...input, ...approvedDetails(approval) }, approval.decidedBy));
      return { kind: "done", result: { job_id: job.jobId, reconciliation_id: input.reconciliation_id } };
    },
  };
}
