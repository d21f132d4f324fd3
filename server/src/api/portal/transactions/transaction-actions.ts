import { z } from "zod";
import { readAttempts, readOrderCallbacks } from "../../../domain/callbacks/queries/read-callbacks.ts";
import { complaintFields } from "../../../domain/complaints/record.ts";
import { findOfOrder } from "../../../domain/complaints/store.ts";
import { type CallbackWithAttempts, eventFields, timelineOf } from "../../../domain/complaints/timeline.ts";
import { isOfArchivedMonth } from "../../../domain/orders/find-known.ts";
import { ANY_ORDER } from "../../../domain/orders/queries/browse-filter.ts";
import { browseOrders, findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { readHistory } from "../../../domain/orders/queries/read-history.ts";
import { findById } from "../../../domain/orders/store.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { noSuch, Refusal } from "../../sites/actions/refusal.ts";
import { dayField } from "../../sites/days.ts";
import { idListQuery, writeIdCursor } from "../../sites/lists.ts";
import { listOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { filter } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { SHOWN_STATUSES } from "../jobs/export-transactions.ts";
import { readDayRange } from "./day-range.ts";
import { transactionDetailOutput, transactionOutput } from "./outputs.ts";
import { callbackFields, ledgerFields, transactionFields, waitingFields } from "./transaction-fields.ts";

type TransactionContext = Pick<PortalContext, "sql" | "catalogue" | "clock">;

const listInput = idListQuery.extend({
  status: filter(z.enum(SHOWN_STATUSES)),
  service: filter(z.string().max(64)),
  operator: filter(z.string().max(32)),
  circle: filter(z.string().max(64)),
  reason: filter(z.string().max(64)),
  from: filter(dayField),
  to: filter(dayField),
  search: filter(z.string().trim().max(64)),
});

const browseTransactions = action({
  path: "GET /transactions",
  summary: "Lists the account's transactions of every service, newest first.",
  roles: EVERYBODY,
  input: listInput,
  output: listOf(transactionOutput),
  handler: async ({ deps, session: { accountId }, input }) => {
    const now = deps.clock.now();
    const days = readDayRange(input, now);
    if (days instanceof Refusal) return days;
    const { status = null, service = null, operator = null, circle = null, reason = null, limit } = input;
    const search = input.search === undefined || input.search === "" ? null : input.search;
    const wanted = {
      ...ANY_ORDER,
      accountId,
      ...days,
      status,
      service,
      operator,
      circle,
      reason,
      search,
      before: input.after ?? null,
      limit,
    };
    const { orders, next } = await browseOrders(deps.sql, wanted, now);
    const reversed = await findReversed(deps.sql, accountId, orders);
    return {
      items: orders.map((order) => transactionFields(deps.catalogue, order, reversed.has(order.orderId))),
      next: next === null ? null : writeIdCursor(next),
    };
  },
});

const showTransaction = action({
  path: "GET /transactions/:order_id",
  summary: "Shows a transaction with its history.",
  roles: EVERYBODY,
  input: z.object({ order_id: z.string().max(64) }),
  output: transactionDetailOutput,
  handler: async ({ deps, session: { accountId }, input }) =>
    (await readTransaction(deps, accountId, input.order_id)) ?? (await missingTransaction(deps.sql, input.order_id)),
});

/** The id alone says the month, so the reply tells nothing about other accounts. */
async function missingTransaction(sql: Sql, orderId: string): Promise<Refusal> {
  if (!(await isOfArchivedMonth(sql, orderId))) return noSuch("transaction");
  return new Refusal("not_found", "The month of this transaction is archived, and it is no longer shown here. Ask the platform for it.");
}

export const transactionActions: readonly PortalAction[] = [browseTransactions, showTransaction];

/** A transaction of an account with its history; null if the account has no such transaction. */
export async function readTransaction(
  ctx: TransactionContext,
  accountId: string,
  orderId: string,
): Promise<z.output<typeof transactionDetailOutput> | null> {
  const { sql, catalogue } = ctx;
  const order = await findById(sql, orderId, accountId);
  if (!order) return null;
  const [history, reversals, complaints, callbacks] = await Promise.all([
    readHistory(sql, order),
    findReversed(sql, accountId, [order]),
    findOfOrder(sql, { accountId, orderId }),
    readCallbacks(sql, accountId, orderId),
  ]);
  const reversed = reversals.has(orderId);
  return {
    transaction: {
      ...transactionFields(catalogue, order, reversed),
      circle: order.circle,
      answered_pending: order.answeredPending,
      waiting: history.waiting && waitingFields(history.waiting),
    },
    timeline: timelineOf({ order, reversed, history, complaints, callbacks }).map(eventFields),
    ledger: history.postings.map((posting) => ledgerFields(accountId, posting)),
    complaints: complaints.map(complaintFields),
    callbacks: callbacks.map(callbackFields),
  };
}

async function readCallbacks(sql: Sql, accountId: string, orderId: string): Promise<readonly CallbackWithAttempts[]> {
  const rows = await readOrderCallbacks(sql, accountId, orderId);
  return await Promise.all(rows.map(async (row) => ({ row, attempts: await readAttempts(sql, row) })));
}
