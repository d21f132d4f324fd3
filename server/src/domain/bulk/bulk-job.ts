import { z } from "zod";
import { formatMoney } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import type { Agreed } from "../approvals/approval.ts";
import { approvedDetails } from "../approvals/approval.ts";
import type { Executor } from "../approvals/context.ts";
import { csvLines } from "../jobs/csv.ts";
import type { Job } from "../jobs/job.ts";
import type { JobContext, JobControl } from "../jobs/kind.ts";
import { type NewJob, putJob } from "../jobs/start-job.ts";
import type { BulkAction, BulkItem } from "./selection.ts";
import { countItems, listItems, markStarted } from "./store.ts";

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

/** Carries out the next items and returns when each of them has its result. */
type RunItems = (items: readonly BulkItem[], input: BulkInput) => Promise<void>;

const writtenFile = z.object({ file: z.literal(true) });
const FILE_ITEMS = 1_000;

/** Carries out all waiting items in steps, then writes the results as CSV. A job that continues finds what is still waiting. */
export async function runBulk(ctx: JobContext, job: Job, control: JobControl, step: number, run: RunItems): Promise<JsonObject> {
  const input = bulkInput.parse(job.input);
  const { selection_id: selectionId } = input;
  for (;;) {
    const items = await listItems(ctx.sql, selectionId, { state: "waiting", after: 0, limit: step });
    if (items.length === 0 || control.stopped()) break;
    await run(items, input);
    const { done, skipped } = await countItems(ctx.sql, selectionId);
    await control.progress(done + skipped, input.count);
  }
  const counts = await countItems(ctx.sql, selectionId);
  const hasFile = writtenFile.safeParse(job.place).success;
  if (!control.stopped() && !hasFile) {
    const part = { number: 0, content: await resultFile(ctx, selectionId) };
    await control.save({ done: counts.done + counts.skipped, total: input.count, place: { file: true }, part });
  }
  const { done, skipped } = counts;
  return {
    selection_id: selectionId,
    done,
    skipped,
    message: messageOf(done, skipped),
    file: `${job.kind.replace("_", "-")}-${job.jobId}.csv`,
  };
}

function messageOf(done: number, skipped: number): string {
  const first = done === 1 ? "1 item was carried out." : `${done} items were carried out.`;
  return skipped === 0 ? first : `${first} ${skipped} ${skipped === 1 ? "was" : "were"} skipped.`;
}

async function resultFile(ctx: JobContext, selectionId: string): Promise<string> {
  const lines: (readonly string[])[] = [["id", "account_id", "amount", "result", "detail"]];
  for (let after = 0; ; ) {
    const items = await listItems(ctx.sql, selectionId, { state: null, after, limit: FILE_ITEMS });
    lines.push(...items.map((one) => [one.itemId, one.accountId, formatMoney(one.amount), one.state, one.detail]));
    after = items.at(-1)?.place ?? after;
    if (items.length < FILE_ITEMS) return csvLines(lines);
  }
}
