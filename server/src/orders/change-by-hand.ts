import type { OrdersContext } from "./context.ts";
import type { Written } from "./operations.ts";
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
  if (!order) return { kind: "not_found" };
  if (order.state !== "SUCCESS") return inState(order);
  const { reason } = request;
  const written = await ctx.writer.write({
    kind: "reverse",
    order,
    reason,
    callbackId: ctx.ids.entry(ctx.clock.now()),
    notify: "always",
    audit: { actor, action: "order.reversed", subject: { kind: "order", id: order.orderId }, details: { reason } },
  });
  return resultOf(ctx, written);
}

function resultOf(ctx: OrdersContext, written: Written): ByHandResult {
  if (written.kind === "done") {
    ctx.wakeCallbacks();
    return { kind: "done" };
  }
  if (written.kind === "found") return inState(written.order);
  throw new Error(`A change of an order was answered ${written.kind}.`);
}

function inState(order: Order): ByHandResult {
  return { kind: "conflict", reason: `The order is ${order.state}.` };
}
