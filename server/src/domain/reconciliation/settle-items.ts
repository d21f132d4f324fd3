import { z } from "zod";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { type Agreed, approvedDetails } from "../approvals/approval.ts";
import type { Executor } from "../approvals/context.ts";
import type { Job } from "../jobs/job.ts";
import type { JobContext, JobControl } from "../jobs/kind.ts";
import { type NewJob, putJob } from "../jobs/start-job.ts";
import type { ManualChangeResult } from "../orders/change-manually.ts";
import { withRetries } from "../orders/write/with-retries.ts";
import type { ReconciliationContext } from "./reconciliation.ts";
import { listSelected, type SelectedItem } from "./select-items.ts";
import { type SettleContext, type SettleRequest, settleItem } from "./settle-item.ts";
import { findReconciliation } from "./store.ts";

export const SETTLE_KIND = "reconcile_settle";

/** The items of a run to settle: those that were counted when it was asked for, and approved if it had to be. */
export const settleInput = z.object({
  reconciliation_id: z.string(),
  /** The run that they belong to, because another run has other items. */
  run: z.string(),
  selection_id: z.string(),
  /** The number of selected items. */
  count: z.number(),
  reason: z.string(),
  // What was asked for, for display: one item, or all that match.
  item: z.number().nullable(),
  status: z.enum(["SUCCESS", "FAILED"]).nullable(),
  search: z.string().nullable(),
  approval_id: z.string().nullable(),
  made_by: z.string().nullable(),
});
export type SettleInput = z.infer<typeof settleInput>;

const skippedItems = z.object({ reason: z.string(), count: z.number(), lines: z.array(z.number()) });
type SkippedItems = z.infer<typeof skippedItems>;

const settlePlace = z.object({ after: z.number(), settled: z.number(), skipped: z.array(skippedItems) });
type SettlePlace = z.infer<typeof settlePlace>;

const GONE = "The file was run again or deleted in the meantime.";
const AT_ONCE = 1_000;
const LINES_NAMED = 20;

/**
 * Settles the selected items one by one, each in its own transaction. Items that can no longer be settled, or that changed
 * since they were selected, are skipped with the reason.
 */
export async function settleItems(ctx: SettleContext & JobContext, job: Job, control: JobControl): Promise<JsonObject> {
  const input = settleInput.parse(job.input);
  const { reconciliation_id: id, selection_id: selectionId, count: total } = input;
  const reconciliation = await findReconciliation(ctx.sql, id);
  if (reconciliation?.jobId !== input.run) return { settled: 0, message: `${GONE} Nothing was settled.` };
  let place = job.place === null ? { after: 0, settled: 0, skipped: [] } : settlePlace.parse(job.place);
  for (let more = true; more && !control.stopped(); ) {
    const items = await listSelected(ctx.sql, { reconciliationId: id, selectionId, after: place.after, limit: AT_ONCE });
    for (const item of items) {
      if (control.stopped()) break;
      const result = await withRetries(ctx.log, () => settleItem(ctx, job.askedBy, requestOf(input, item)));
      place = placeAfter(place, item.item, result);
      await control.save({ done: endedAt(place), total, place });
    }
    more = items.length === AT_ONCE;
  }
  const { settled, skipped } = place;
  return { reconciliation_id: id, settled, left: total - settled, skipped, message: messageOf(place) };
}

function requestOf(input: SettleInput, { item, version }: SelectedItem): SettleRequest {
  const { reconciliation_id: reconciliationId, run, reason, approval_id, made_by } = input;
  const approved = approval_id === null ? {} : { approved: { approval_id, made_by } };
  return { reconciliationId, item, reason, counted: { run, version }, ...approved };
}

function placeAfter(place: SettlePlace, item: number, result: ManualChangeResult): SettlePlace {
  if (result.kind === "done") return { ...place, after: item, settled: place.settled + 1 };
  const reason = result.kind === "conflict" ? result.reason : GONE;
  const { count = 0, lines = [] } = place.skipped.find((one) => one.reason === reason) ?? {};
  const others = place.skipped.filter((one) => one.reason !== reason);
  return { ...place, after: item, skipped: [...others, { reason, count: count + 1, lines: [...lines, item].slice(0, LINES_NAMED) }] };
}

function countOf(skipped: readonly SkippedItems[]): number {
  return skipped.reduce((sum, one) => sum + one.count, 0);
}

function endedAt({ settled, skipped }: SettlePlace): number {
  return settled + countOf(skipped);
}

function messageOf({ settled, skipped }: SettlePlace): string {
  const first = settled === 1 ? "1 order was settled." : `${settled} orders were settled.`;
  const count = countOf(skipped);
  if (count === 0) return first;
  const reasons = skipped.map((one) => `${one.count}: ${one.reason}`).join(" ");
  return `${first} ${count} ${count === 1 ? "was" : "were"} skipped. ${reasons}`;
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
      if (reconciliation?.jobId !== input.run) return { kind: "failed", reason: GONE };
      const job = await putJob(ctx, tx, settleJob({ ...input, ...approvedDetails(approval) }, approval.decidedBy));
      return { kind: "done", result: { job_id: job.jobId, reconciliation_id: input.reconciliation_id } };
    },
  };
}
