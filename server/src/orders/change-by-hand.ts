import type { OrdersContext } from "./context.ts";
import type { Reverse, Written } from "./operations.ts";
import type { FinalState, Order } from "./order.ts";
import { findById } from "./store.ts";

export type ByHandResult =
  | { readonly kind: "done" }
  | { readonly kind: "not_found" }
  | { readonly kind: "conflict"; readonly reason: string };

export type SettleRequest = {
  readonly orderId: string;
  readonly to: FinalState;
  readonly operatorRef: string | null;
  readonly reason: string;
};

/** A person ends a pending order. */
export async function settleByHand(ctx: OrdersContext, actor: string, request: SettleRequest): Promise<ByHandResult> {
  const order = await findById(ctx.sql, request.orderId);
  if (!order) return { kind: "not_found" };
  if (order.state !== "pending") return inState(order);
  const { to, operatorRef, reason } = request;
  const written = await ctx.writer.write({
    kind: "settle",
    order,
    to,
    operatorRef,
    reason: to === "FAILED" ? reason : null,
    watched: true,
    callbackId: ctx.ids.entry(ctx.clock.now()),
    audit: {
      actor,
      action: "order.settled",
      subject: { kind: "order", id: order.orderId },
      details: { status: to, operator_ref: operatorRef, reason },
    },
  });
  return resultOf(ctx, written);
}

export type ReverseRequest = { readonly orderId: string; readonly reason: string };

/** A person takes a success back: the money returns to the wallet, whatever the wallet's state. */
export async function reverseByHand(ctx: OrdersContext, actor: string, request: ReverseRequest): Promise<ByHandResult> {
  const order = await findById(ctx.sql, request.orderId);
  return order ? await takeBack(ctx, actor, order, request.reason, "always") : { kind: "not_found" };
}

/** A person gives a money transfer back that had succeeded, its fee included (spec, Events, status callbacks, rule 3). */
export async function refundByHand(ctx: OrdersContext, actor: string, request: ReverseRequest): Promise<ByHandResult> {
  const order = await findById(ctx.sql, request.orderId);
  if (!order) return { kind: "not_found" };
  if (order.service !== "transfers" || order.call !== "") return { kind: "conflict", reason: "The order is not a money transfer." };
  return await takeBack(ctx, actor, order, request.reason, "version 3");
}

const ACTIONS = { always: "order.reversed", "version 3": "order.refunded" } as const;

async function takeBack(ctx: OrdersContext, actor: string, order: Order, reason: string, notify: Reverse["notify"]): Promise<ByHandResult> {
  if (order.state !== "SUCCESS") return inState(order);
  const written = await ctx.writer.write({
    kind: "reverse",
    order,
    reason,
    callbackId: ctx.ids.entry(ctx.clock.now()),
    notify,
    audit: { actor, action: ACTIONS[notify], subject: { kind: "order", id: order.orderId }, details: { reason } },
  });
  return resultOf(ctx, written);
}

function resultOf(ctx: OrdersContext, written: Written): ByHandResult {
  if (written.kind === "done") {
    ctx.wakeCallbacks();
    return { kind: "done" };
  }
  if (written.kind === "found") return inState(written.order);
  if (written.kind === "thin") return { kind: "conflict", reason: "The wallet does not cover what the order paid it." };
  throw new Error(`A change of an order was answered ${written.kind}.`);
}

export function inState(order: Order): Extract<ByHandResult, { readonly kind: "conflict" }> {
  return { kind: "conflict", reason: `The order is ${order.state}.` };
}
