import { z } from "zod";
import { readAttempts, readOrderCallbacks } from "../../../domain/callbacks/queries/read-callbacks.ts";
import { complaintFields } from "../../../domain/complaints/record.ts";
import { findOfOrder } from "../../../domain/complaints/store.ts";
import { type CallbackWithAttempts, eventFields, timelineOf } from "../../../domain/complaints/timeline.ts";
import { ANY_ORDER } from "../../../domain/orders/queries/browse-filter.ts";
import { browseOrders, findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { readHistory } from "../../../domain/orders/queries/read-history.ts";
import { findById } from "../../../domain/orders/store.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { dayField } from "../../sites/days.ts";
import { idListQuery, writeIdCursor } from "../../sites/lists.ts";
import { filter } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { SHOWN_STATUSES } from "../jobs/export-transactions.ts";
import { EVERYBODY, fault, json, memberRoute, type PortalRoute } from "../route.ts";
import { readDayRange } from "./day-range.ts";
import { callbackFields, ledgerFields, transactionFields, waitingFields } from "./transaction-fields.ts";

type TransactionContext = Pick<PortalContext, "sql" | "catalogue" | "clock">;

export function transactionRoutes(ctx: TransactionContext): readonly PortalRoute[] {
  return [listRoute(ctx), readRoute(ctx)];
}

const listInput = idListQuery.extend({
  status: filter(z.enum(SHOWN_STATUSES)),
  service: filter(z.string().max(64)),
  operator: filter(z.string().max(32)),
  from: filter(dayField),
  to: filter(dayField),
  search: filter(z.string().trim().max(64)),
});

function listRoute(ctx: TransactionContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/transactions",
    does: "Lists the account's transactions of every service, newest first",
    who: EVERYBODY,
    input: listInput,
    handle: async ({ session: { accountId }, input }) => {
      const now = ctx.clock.now();
      const days = readDayRange(input, now);
      if ("kind" in days) return days;
      const { status = null, service = null, operator = null, limit } = input;
      const search = input.search === undefined || input.search === "" ? null : input.search;
      const wanted = { ...ANY_ORDER, accountId, ...days, status, service, operator, search, before: input.after ?? null, limit };
      const { orders, next } = await browseOrders(ctx.sql, wanted, now);
      const reversed = await findReversed(ctx.sql, accountId, orders);
      return json({
        items: orders.map((order) => transactionFields(ctx.catalogue, order, reversed.has(order.orderId))),
        next: next === null ? null : writeIdCursor(next),
      });
    },
  });
}

function readRoute(ctx: TransactionContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/transactions/{order_id}",
    does: "Shows a transaction with its history",
    who: EVERYBODY,
    input: z.object({ order_id: z.string().max(64) }),
    handle: async ({ session: { accountId }, input }) => {
      const found = await readTransaction(ctx, accountId, input.order_id);
      return found ? json(found) : fault("not_found", "There is no such transaction.");
    },
  });
}

/** A transaction of an account with its history; null if the account has no such transaction. */
export async function readTransaction(ctx: TransactionContext, accountId: string, orderId: string): Promise<JsonObject | null> {
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
