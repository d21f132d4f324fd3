import { moneyOf, NO_MONEY } from "../../../platform/core/money.ts";
import type { OrdersContext } from "../../orders/context.ts";
import type { Order, OrderState } from "../../orders/order.ts";

export type BuiltOrder = {
  readonly service: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly state: OrderState;
  readonly provider: string;
  readonly credit: boolean;
  /** How long ago it was created. */
  readonly ageMinutes: number;
};

/** Creates an order of 10.00 that has just succeeded, by default. Returns its id. */
export async function buildOrder(ctx: OrdersContext, accountId: string, wanted: Partial<BuiltOrder>): Promise<string> {
  const {
    service = "recharge",
    amount = 100_000n,
    fee = 0n,
    state = "SUCCESS",
    provider = "simulator",
    credit = false,
    ageMinutes = 0,
  } = wanted;
  const now = ctx.clock.now();
  const orderId = ctx.ids.order(now);
  const order: Order = {
    accountId,
    orderId,
    service,
    reference: wanted.reference ?? `U-${orderId}`,
    operation: "",
    fingerprint: orderId,
    state: "pending",
    amount: moneyOf(amount),
    amountText: "10.00",
    fee: moneyOf(fee),
    commission: NO_MONEY,
    credit,
    refunded: null,
    target: "9876543210",
    operator: "AT",
    circle: null,
    provider,
    providerVersion: null,
    attempt: 1,
    operatorRef: null,
    failure: null,
    answeredPending: false,
    createdAt: now,
    updatedAt: now,
  };
  const accepted = await ctx.writer.write({ kind: "accept", order, dailyLimit: null });
  if (accepted.kind !== "done") throw new Error(`The order was answered ${accepted.kind}.`);
  if (state !== "pending") await settle(ctx, order, state);
  await ctx.sql`
    update orders set created_at = created_at - make_interval(mins => ${ageMinutes}) where account_id = ${accountId} and order_id = ${orderId}`;
  return orderId;
}

async function settle(ctx: OrdersContext, order: Order, to: "SUCCESS" | "FAILED"): Promise<void> {
  const callbackId = ctx.ids.entry(ctx.clock.now());
  await ctx.writer.write({ kind: "settle", order, to, operatorRef: "OP-REF-1", failure: null, hasPoll: false, callbackId });
}
