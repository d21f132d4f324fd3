import type { Money } from "../../../../platform/core/money.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import { lockWallets } from "../../../ledger/store.ts";
import { type ManualChangeResult, reverseConflict, stateConflict } from "../../../orders/change-manually.ts";
import type { Order } from "../../../orders/order.ts";
import { findById } from "../../../orders/store.ts";
import type { Refusal } from "../../../shared/refusals.ts";
import { askCancelQuote } from "../ask-provider.ts";
import { findBlockOfOrder, lockBlock } from "../blocks/blocks-store.ts";
import { readSeats } from "../bookings/tickets-store.ts";
import { type CancelContext, SERVICE } from "../context.ts";
import { insertCancellation } from "./cancel-store.ts";
import { chargeForSeats } from "./charges.ts";
import { finishCancellation, finishUnfinished } from "./finish-cancellation.ts";

export type ManualCancellation = {
  readonly orderId: string;
  readonly reason: string;
  /** The approval, and who requested it, when a second person had to approve. */
  readonly approved?: { readonly approvalId: string; readonly madeBy: string };
  /** What the provider said it would return for these seats. Absent: the trip's own charges apply. */
  readonly quoted?: { readonly seats: readonly string[]; readonly refund: Money };
};

/** Cancels the rest of a ticket on behalf of staff, for what its provider returns, or at the current charges of the trip's policy. */
export async function cancelManually(ctx: CancelContext, actor: string, request: ManualCancellation): Promise<ManualChangeResult> {
  const order = await findById(ctx.sql, request.orderId);
  if (!order) return { kind: "not_found" };
  const against = cancelConflict(order);
  if (against) return against;
  const quoted = await quoteRest(ctx, order);
  if (quoted?.kind === "refused") return { kind: "conflict", reason: quoted.message };
  const reserved = await ctx.sql.begin((tx) => reserveCancellation(ctx, tx, actor, { ...request, ...(quoted ? { quoted } : {}) }));
  if (typeof reserved !== "string") return reserved;
  const finished = await finishCancellation(ctx, { accountId: order.accountId, cancelId: reserved });
  return finished.kind === "refused" ? { kind: "conflict", reason: finished.message } : { kind: "done" };
}

type Quoted = { readonly kind: "quoted"; readonly seats: readonly string[]; readonly refund: Money };

/** Completes earlier cancellations, then asks what the provider would return for the seats that are left. Null when it does not say. */
export async function quoteRest(ctx: CancelContext, order: Order): Promise<Quoted | Refusal | null> {
  const block = await blockOf(ctx, order);
  await finishUnfinished(ctx, block);
  const seats = (await readSeats(ctx.sql, block)).filter((one) => one.cancelling !== "done").map((one) => one.seat);
  const quoted = await askCancelQuote(ctx, { order, block }, seats);
  return quoted?.kind === "quoted" ? { kind: "quoted", seats, refund: quoted.refund } : quoted;
}

/** Returns why the order cannot be cancelled; null when it can. */
export function cancelConflict(order: Order): ManualChangeResult | null {
  if (order.service !== SERVICE) return { kind: "conflict", reason: "The order is not a bus ticket." };
  return reverseConflict(order);
}

async function blockOf(ctx: Pick<CancelContext, "sql"> | { readonly sql: Transaction }, order: { accountId: string; orderId: string }) {
  const block = await findBlockOfOrder(ctx.sql, order);
  if (!block) throw new Error(`The booking ${order.orderId} has no block.`);
  return block;
}

/** Records a cancellation of the remaining seats and returns its id; `finishCancellation` completes it. */
export async function reserveCancellation(
  ctx: CancelContext,
  tx: Transaction,
  actor: string,
  request: ManualCancellation,
): Promise<string | ManualChangeResult> {
  const known = await findById(tx, request.orderId);
  if (!known) return { kind: "not_found" };
  // The wallet is the fence of an account that moves to another cell: there the record would be missing.
  await lockWallets(tx, [known.accountId]);
  const block = await blockOf({ sql: tx }, known);
  await lockBlock(tx, block);
  const order = (await findById(tx, request.orderId)) ?? known;
  if (order.state !== "SUCCESS") return stateConflict(order);
  const now = ctx.clock.now();
  if (now >= block.departureAt)
    return { kind: "conflict", reason: "The bus has departed, so nothing can be cancelled. Reverse the order to return the money." };
  const left = (await readSeats(tx, block)).filter((one) => one.cancelling !== "done");
  if (left.some((one) => one.cancelling === "asked"))
    return { kind: "conflict", reason: "Another cancellation of the ticket is in progress. Try again in a moment." };
  const seats = left.map((one) => one.seat);
  const { quoted } = request;
  const isQuoted = quoted !== undefined && quoted.seats.join() === seats.join();
  const { refund } = isQuoted ? quoted : chargeForSeats(block, left, seats, now);
  const cancelId = `CAN${ctx.ids.entry(now)}`;
  const { accountId, orderId } = order;
  const { blockRef } = block;
  const { reason, approved = null } = request;
  const asked = { accountId, cancelId, blockRef, orderId, requestId: null, actor, reason, seats, refund, createdAt: now, approved };
  await insertCancellation(tx, asked);
  return cancelId;
}
