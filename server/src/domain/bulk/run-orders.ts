import type { JsonObject } from "../../platform/core/strict-json.ts";
import { ACCOUNT_MOVED, codeOf } from "../../platform/db/database-errors.ts";
import type { Job } from "../jobs/job.ts";
import type { JobContext, JobControl } from "../jobs/kind.ts";
import { lockWallets } from "../ledger/store.ts";
import { changeInTransaction } from "../orders/change-in-transaction.ts";
import { settleManually } from "../orders/change-manually.ts";
import type { OrdersContext } from "../orders/context.ts";
import { requeryOrder } from "../orders/recovery/requery-order.ts";
import { sendingConflict } from "../orders/recovery/sending-conflict.ts";
import { withRetries } from "../orders/write/with-retries.ts";
import type { BulkInput } from "./bulk-job.ts";
import { type BulkContext, runBulk } from "./run-bulk.ts";
import type { BulkItem } from "./selection.ts";
import { type ItemResult, lockWaiting, writeResults } from "./store.ts";

type OrdersOfCell = { readonly orders: OrdersContext };
export type BulkOrdersContext = BulkContext<OrdersOfCell>;

/** What carries out items of one cell. */
type CellWork = Pick<JobContext, "sql" | "clock"> & OrdersOfCell;

const GONE = "The order does not exist, or its account was moved to another cell since the preview.";

// Queries at a time, so that one job does not use up what a provider allows.
const QUERIES_AT_ONCE = 4;
const SETTLED_BETWEEN_REPORTS = 25;

/** Asks the providers about the orders of a selection. A definite answer ends an order, as a poll would. */
export async function requeryOrders(ctx: BulkOrdersContext, job: Job, control: JobControl): Promise<JsonObject> {
  const run = async (cell: CellWork, items: readonly BulkItem[], input: BulkInput) => {
    const results = await Promise.all(items.map((item) => unlessMoving(() => requeryItem(cell, job.askedBy, item, input))));
    const known = results.filter((result) => result !== null);
    if (known.length > 0) await writeResults(cell.sql, input.selection_id, known);
  };
  return await runBulk(ctx, { step: QUERIES_AT_ONCE, job, control, run });
}

async function requeryItem({ orders }: CellWork, actor: string, item: BulkItem, { reason }: BulkInput): Promise<ItemResult> {
  const { place, itemId } = item;
  const result = await requeryOrder(orders, actor, itemId, reason === "" ? undefined : reason);
  if (result.kind === "not_found") return { place, state: "skipped", detail: GONE };
  if (result.kind === "conflict") return { place, state: "skipped", detail: result.reason };
  const ended = result.applied ? "The order was ended accordingly." : "The answer is not final. Nothing was changed.";
  return { place, state: "done", detail: `${result.provider} says ${result.said}: ${result.detail} ${ended}` };
}

/** Gives the orders of a selection their final state. Each order, its money and its result are one transaction. */
export async function settleOrders(ctx: BulkOrdersContext, job: Job, control: JobControl): Promise<JsonObject> {
  const run = async (cell: CellWork, items: readonly BulkItem[], input: BulkInput) => {
    for (const item of items) {
      if (control.stopped()) return;
      await unlessMoving(() => withRetries(ctx.orders.log, () => settleItem(cell, job, item, input)));
    }
    cell.orders.wakeCallbacks();
  };
  return await runBulk(ctx, { step: SETTLED_BETWEEN_REPORTS, job, control, run });
}

/** The item of an account that is being moved stays waiting; then the result is null. */
async function unlessMoving<Result>(carryOut: () => Promise<Result>): Promise<Result | null> {
  try {
    return await carryOut();
  } catch (error) {
    if (codeOf(error) !== ACCOUNT_MOVED) throw error;
    return null;
  }
}

async function settleItem(ctx: CellWork, job: Job, item: BulkItem, input: BulkInput): Promise<void> {
  const { selection_id: selectionId, status, reason, approval_id, made_by } = input;
  if (status === null) throw new Error("The job does not say what the orders become.");
  await ctx.sql.begin(async (tx) => {
    // The wallet is locked before the order and its poll, in the order that all writers use.
    await lockWallets(tx, [item.accountId]);
    // Another process may have continued the job. Then the item has its result, or gets it before this lock.
    if (!(await lockWaiting(tx, selectionId, item.place))) return;
    const at = new Date(ctx.clock.now());
    const result =
      (await sendingConflict(ctx.orders, tx, { accountId: item.accountId, orderId: item.itemId })) ??
      (await settleManually(changeInTransaction(ctx.orders, tx, at), job.askedBy, {
        orderId: item.itemId,
        to: status,
        operatorRef: null,
        reason,
        ...(item.attempt === null ? {} : { ofAttempt: item.attempt }),
        evidence: { job_id: job.jobId, selection_id: selectionId, ...(approval_id === null ? {} : { approval_id, made_by }) },
      }));
    const detail = result.kind === "conflict" ? result.reason : result.kind === "done" ? `The order is ${status}.` : GONE;
    await writeResults(tx, selectionId, [{ place: item.place, state: result.kind === "done" ? "done" : "skipped", detail }]);
  });
}
