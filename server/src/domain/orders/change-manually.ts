import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import { REFUNDABLE_SERVICES, serviceDefinition } from "../shared/service-definition.ts";
import type { OrdersContext } from "./context.ts";
import type { FinalState, Order } from "./order.ts";
import { findById } from "./store.ts";
import type { Reverse, Written } from "./write/operations.ts";
import type { Writer } from "./write/writer.ts";

/** Dependencies of a manual change; `sql` and `writer` may belong to a surrounding transaction. */
export type ManualChangeContext = Pick<OrdersContext, "clock" | "ids" | "wakeCallbacks"> & {
  readonly sql: Queryable;
  readonly writer: Pick<Writer, "write">;
};

export type ManualChangeResult =
  | { readonly kind: "done" }
  | { readonly kind: "not_found" }
  | { readonly kind: "conflict"; readonly reason: string };

export type SettleRequest = {
  readonly orderId: string;
  readonly to: FinalState;
  readonly operatorRef: string | null;
  readonly reason: string;
  /** The provider whose evidence this is. The change is refused when the order is, or meanwhile moves, with another provider. */
  readonly saidBy?: string;
  /** The attempt that the decision is about. The change is refused when the order has gone on to another one. */
  readonly ofAttempt?: number;
  /** Where the evidence can be found, for the audit log. */
  readonly evidence?: JsonObject;
};

/** Settles a pending order on behalf of staff. */
export async function settleManually(ctx: ManualChangeContext, actor: string, request: SettleRequest): Promise<ManualChangeResult> {
  const order = await findById(ctx.sql, request.orderId);
  if (!order) return { kind: "not_found" };
  const conflict = settleConflict(order);
  if (conflict) return conflict;
  const { to, operatorRef, reason, saidBy, evidence } = request;
  const ofAttempt = request.ofAttempt ?? (saidBy === undefined ? undefined : order.attempt);
  if (saidBy !== undefined && order.provider !== saidBy) return { kind: "conflict", reason: `The order is with ${order.provider}.` };
  if (ofAttempt !== undefined && ofAttempt !== order.attempt) return attemptConflict(order);
  const written = await ctx.writer.write({
    kind: "settle",
    order,
    to,
    operatorRef,
    failure: to === "FAILED" ? { code: "settled_by_staff", words: reason } : null,
    hasPoll: true,
    callbackId: ctx.ids.entry(ctx.clock.now()),
    ...(ofAttempt === undefined ? {} : { ofAttempt }),
    audit: {
      actor,
      action: "order.settled",
      subject: { kind: "order", id: order.orderId },
      details: { status: to, operator_ref: operatorRef, reason, ...(evidence ? { evidence } : {}) },
    },
  });
  // It was moved to another provider after it was read.
  if (written.kind === "found" && written.order.state === "pending") return attemptConflict(written.order);
  return toResult(ctx, written);
}

function attemptConflict({ attempt, provider }: Order): ManualChangeResult {
  return { kind: "conflict", reason: `The order has moved on: it is in attempt ${attempt}, with ${provider}.` };
}

export type ReverseRequest = { readonly orderId: string; readonly reason: string };

/** Reverses a successful order on behalf of staff and returns the money to the wallet, even of an inactive account. */
export async function reverseManually(ctx: ManualChangeContext, actor: string, request: ReverseRequest): Promise<ManualChangeResult> {
  const order = await findById(ctx.sql, request.orderId);
  return order ? await reverse(ctx, actor, order, request.reason, "reversed") : { kind: "not_found" };
}

/** Refunds a successful order of a refundable service on behalf of staff, including its fee (spec, Events, status callbacks, rule 3). */
export async function refundManually(ctx: ManualChangeContext, actor: string, request: ReverseRequest): Promise<ManualChangeResult> {
  const order = await findById(ctx.sql, request.orderId);
  if (!order) return { kind: "not_found" };
  return refundConflict(order) ?? (await reverse(ctx, actor, order, request.reason, "refunded"));
}

/** Returns why the order cannot be changed in its current state; null when it can. */
export function settleConflict(order: Order): ManualChangeResult | null {
  return order.state === "pending" ? null : stateConflict(order);
}

export function reverseConflict(order: Order): ManualChangeResult | null {
  return order.state === "SUCCESS" ? null : stateConflict(order);
}

// A service's main operation has an empty name. Other operations, such as a penny drop, have one.
const MAIN_OPERATION = "";

export function refundConflict(order: Order): ManualChangeResult | null {
  const isRefundable = serviceDefinition(order.service).isRefundable && order.operation === MAIN_OPERATION;
  return isRefundable ? reverseConflict(order) : { kind: "conflict", reason: notRefundable(order) };
}

function notRefundable({ service, operation }: Order): string {
  const why =
    operation === MAIN_OPERATION
      ? `Only orders of the service ${REFUNDABLE_SERVICES.join(" or ")} can be refunded, and this one is of ${service}.`
      : `The operation ${operation} of the service ${service} cannot be refunded.`;
  return `${why} To return its money, reverse the order instead.`;
}

const ACTIONS = { reversed: "order.reversed", refunded: "order.refunded" } as const;
const FAILURES = { reversed: "reversed_by_staff", refunded: "refunded_by_staff" } as const;

async function reverse(
  ctx: ManualChangeContext,
  actor: string,
  order: Order,
  reason: string,
  cause: Reverse["cause"],
): Promise<ManualChangeResult> {
  const conflict = reverseConflict(order);
  if (conflict) return conflict;
  const written = await ctx.writer.write({
    kind: "reverse",
    order,
    failure: { code: FAILURES[cause], words: reason },
    callbackId: ctx.ids.entry(ctx.clock.now()),
    cause,
    audit: { actor, action: ACTIONS[cause], subject: { kind: "order", id: order.orderId }, details: { reason } },
  });
  return toResult(ctx, written);
}

function toResult(ctx: ManualChangeContext, written: Written): ManualChangeResult {
  if (written.kind === "done") {
    ctx.wakeCallbacks();
    return { kind: "done" };
  }
  if (written.kind === "found") return stateConflict(written.order);
  if (written.kind === "insufficient funds")
    return { kind: "conflict", reason: "The wallet does not hold the money that the order had credited." };
  throw new Error(`A change of an order was answered ${written.kind}.`);
}

export function stateConflict(order: Order): Extract<ManualChangeResult, { readonly kind: "conflict" }> {
  return { kind: "conflict", reason: `The order is ${order.state}.` };
}
