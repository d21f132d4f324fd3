import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import type { OrdersContext } from "./context.ts";
import type { Reverse, Written } from "./operations.ts";
import type { FinalState, Order } from "./order.ts";
import { findById } from "./store.ts";
import type { Writer } from "./writer.ts";

/** What a change by hand needs: of the service, or of a transaction that it has to be part of. */
export type ByHandContext = Pick<OrdersContext, "clock" | "ids" | "wakeCallbacks"> & {
  readonly sql: Queryable;
  readonly writer: Pick<Writer, "write">;
};

export type ByHandResult =
  | { readonly kind: "done" }
  | { readonly kind: "not_found" }
  | { readonly kind: "conflict"; readonly reason: string };

export type SettleRequest = {
  readonly orderId: string;
  readonly to: FinalState;
  readonly operatorRef: string | null;
  readonly reason: string;
  /** Whose word it is: it ends nothing when the order is with another provider, or goes on to one meanwhile. */
  readonly saidBy?: string;
  /** Where it can be looked up, for the audit trail. */
  readonly evidence?: JsonObject;
};

/** A person ends a pending order. */
export async function settleByHand(ctx: ByHandContext, actor: string, request: SettleRequest): Promise<ByHandResult> {
  const order = await findById(ctx.sql, request.orderId);
  if (!order) return { kind: "not_found" };
  const against = againstSettling(order);
  if (against) return against;
  const { to, operatorRef, reason, saidBy, evidence } = request;
  if (saidBy !== undefined && order.provider !== saidBy) return { kind: "conflict", reason: `The order is with ${order.provider}.` };
  const written = await ctx.writer.write({
    kind: "settle",
    order,
    to,
    operatorRef,
    failure: to === "FAILED" ? { code: "settled_by_staff", words: reason } : null,
    watched: true,
    callbackId: ctx.ids.entry(ctx.clock.now()),
    ...(saidBy === undefined ? {} : { ofAttempt: order.attempt }),
    audit: {
      actor,
      action: "order.settled",
      subject: { kind: "order", id: order.orderId },
      details: { status: to, operator_ref: operatorRef, reason, ...(evidence ? { evidence } : {}) },
    },
  });
  return resultOf(ctx, written);
}

export type ReverseRequest = { readonly orderId: string; readonly reason: string };

/** A person takes a success back: the money returns to the wallet, whatever the wallet's state. */
export async function reverseByHand(ctx: ByHandContext, actor: string, request: ReverseRequest): Promise<ByHandResult> {
  const order = await findById(ctx.sql, request.orderId);
  return order ? await takeBack(ctx, actor, order, request.reason, "always") : { kind: "not_found" };
}

/** A person gives a money transfer back that had succeeded, its fee included (spec, Events, status callbacks, rule 3). */
export async function refundByHand(ctx: ByHandContext, actor: string, request: ReverseRequest): Promise<ByHandResult> {
  const order = await findById(ctx.sql, request.orderId);
  if (!order) return { kind: "not_found" };
  return againstRefunding(order) ?? (await takeBack(ctx, actor, order, request.reason, "version 3"));
}

/** What stands against a change of an order as it is now; null when nothing does. */
export function againstSettling(order: Order): ByHandResult | null {
  return order.state === "pending" ? null : inState(order);
}

export function againstReversing(order: Order): ByHandResult | null {
  return order.state === "SUCCESS" ? null : inState(order);
}

export function againstRefunding(order: Order): ByHandResult | null {
  if (order.service !== "transfers" || order.call !== "") return { kind: "conflict", reason: "The order is not a money transfer." };
  return againstReversing(order);
}

const ACTIONS = { always: "order.reversed", "version 3": "order.refunded" } as const;
const FAILURES = { always: "reversed_by_staff", "version 3": "refunded_by_staff" } as const;

async function takeBack(ctx: ByHandContext, actor: string, order: Order, reason: string, notify: Reverse["notify"]): Promise<ByHandResult> {
  const against = againstReversing(order);
  if (against) return against;
  const written = await ctx.writer.write({
    kind: "reverse",
    order,
    failure: { code: FAILURES[notify], words: reason },
    callbackId: ctx.ids.entry(ctx.clock.now()),
    notify,
    audit: { actor, action: ACTIONS[notify], subject: { kind: "order", id: order.orderId }, details: { reason } },
  });
  return resultOf(ctx, written);
}

function resultOf(ctx: ByHandContext, written: Written): ByHandResult {
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
