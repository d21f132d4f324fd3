import type { Transaction } from "../../../platform/db/connection.ts";
import { type ManualChangeResult, reverseConflict, stateConflict } from "../../orders/change-manually.ts";
import type { Order } from "../../orders/order.ts";
import { findById } from "../../orders/store.ts";
import { findBlockOfOrder, lockBlock } from "./blocks-store.ts";
import { insertCancellation } from "./cancel-store.ts";
import { chargeForSeats } from "./charges.ts";
import { type CancelContext, SERVICE } from "./context.ts";
import { finishCancellation, finishUnfinished } from "./finish-cancellation.ts";
import { readSeats } from "./tickets-store.ts";

export type CancelByHand = {
  readonly orderId: string;
  readonly reason: string;
  /** Two people did it: which approval it was, and who asked for it. */
  readonly approved?: { readonly approvalId: string; readonly madeBy: string };
};

/** A person cancels what is left of a ticket, at what the trip's policy asks for now. */
export async function cancelByHand(ctx: CancelContext, actor: string, request: CancelByHand): Promise<ManualChangeResult> {
  const order = await findById(ctx.sql, request.orderId);
  if (!order) return { kind: "not_found" };
  const against = againstCancelling(order);
  if (against) return against;
  await finishUnfinished(ctx, await blockOf(ctx, order));
  const reserved = await ctx.sql.begin((tx) => reserveCancellation(ctx, tx, actor, request));
  if (typeof reserved !== "string") return reserved;
  const finished = await finishCancellation(ctx, { accountId: order.accountId, cancelId: reserved });
  return finished.kind === "refused" ? { kind: "conflict", reason: finished.message } : { kind: "done" };
}

/** What stands against cancelling an order as it is now; null when nothing does. */
export function againstCancelling(order: Order): ManualChangeResult | null {
  if (order.service !== SERVICE) return { kind: "conflict", reason: "The order is not a bus ticket." };
  return reverseConflict(order);
}

async function blockOf(ctx: Pick<CancelContext, "sql"> | { readonly sql: Transaction }, order: { accountId: string; orderId: string }) {
  const block = await findBlockOfOrder(ctx.sql, order);
  if (!block) throw new Error(`The booking ${order.orderId} has no block.`);
  return block;
}

/** Puts a cancellation of what is left on record and answers its id; `finishCancellation` takes it to its end. */
export async function reserveCancellation(
  ctx: CancelContext,
  tx: Transaction,
  actor: string,
  request: CancelByHand,
): Promise<string | ManualChangeResult> {
  const known = await findById(tx, request.orderId);
  if (!known) return { kind: "not_found" };
  const block = await blockOf({ sql: tx }, known);
  await lockBlock(tx, block);
  const order = (await findById(tx, request.orderId)) ?? known;
  if (order.state !== "SUCCESS") return stateConflict(order);
  const now = ctx.clock.now();
  if (now >= block.departureAt)
    return { kind: "conflict", reason: "The bus has departed, so nothing can be cancelled: a reversal gives everything back." };
  const left = (await readSeats(tx, block)).filter((one) => one.cancelling !== "done");
  if (left.some((one) => one.cancelling === "asked"))
    return { kind: "conflict", reason: "A cancellation of the ticket is under way: try again in a moment." };
  const seats = left.map((one) => one.seat);
  const { refund } = chargeForSeats(block, left, seats, now);
  const cancelId = `CAN${ctx.ids.entry(now)}`;
  const { accountId, orderId } = order;
  const { blockRef } = block;
  const { reason, approved = null } = request;
  const asked = { accountId, cancelId, blockRef, orderId, requestId: null, actor, reason, seats, refund, createdAt: now, approved };
  await insertCancellation(tx, asked);
  return cancelId;
}
