import type { Queryable } from "../db/connection.ts";
import { type Order, stateNumber } from "./order.ts";
import type { Plan } from "./plan.ts";

/** Writes a plan in one call. Answers each wallet's available money after it; raises when an assumption did not hold. */
export async function postPlan(sql: Queryable, plan: Plan, processId: string): Promise<ReadonlyMap<string, bigint>> {
  // In the order of their keys: that is the order they are locked in.
  const wallets = [...plan.wallets.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  const places = new Map(wallets.map((one, at) => [one.accountId, at + 1]));
  const placeOf = (accountId: string): number => places.get(accountId) ?? 0;
  const orders = plan.accepts.map((one) => one.order);
  const { changes, watches, transfers } = plan;
  const [row] = await sql<{ available: bigint[] | null }[]>`
    select available from write_orders(
      ${new Date(plan.at)}, ${plan.today}, ${processId},
      ${wallets.map((one) => one.accountId)}::text[],
      ${numbers(wallets.map((one) => one.available))}::bigint[],
      ${numbers(wallets.map((one) => one.held))}::bigint[],
      ${numbers(wallets.map((one) => one.cleared))}::bigint[],
      ${numbers(wallets.map((one) => one.funding))}::bigint[],
      ${numbers(wallets.map((one) => one.fees))}::bigint[],
      ${numbers(wallets.map((one) => one.rows))}::integer[],
      ${numbers(wallets.map((one) => one.day))}::bigint[],
      ${numbers(wallets.map((one) => one.dailyLimit ?? -1n))}::bigint[],
      ${numbers(orders.map((one) => placeOf(one.accountId)))}::integer[],
      ${orders.map((one) => one.orderId)}::text[],
      ${orders.map((one) => one.service)}::text[],
      ${orders.map((one) => one.reference)}::text[],
      ${orders.map((one) => one.fingerprint)}::text[],
      ${numbers(orders.map((one) => one.amount))}::bigint[],
      ${orders.map((one) => one.amountText)}::text[],
      ${numbers(orders.map((one) => one.fee))}::bigint[],
      ${numbers(commissionsOf(orders))}::bigint[],
      ${orders.map((one) => one.target)}::text[],
      ${orders.map((one) => one.operator)}::text[],
      ${orders.map((one) => one.circle ?? "")}::text[],
      ${orders.map((one) => one.provider)}::text[],
      ${orders.map((one) => one.call)}::text[],
      ${numbers(orders.map((one) => Number(one.credit)))}::smallint[],
      ${numbers(changes.map((one) => placeOf(one.order.accountId)))}::integer[],
      ${changes.map((one) => one.order.orderId)}::text[],
      ${numbers(changes.map((one) => (one.kind === "settle" ? 0 : 1)))}::smallint[],
      ${numbers(changes.map((one) => stateNumber(one.kind === "settle" ? one.to : "FAILED")))}::smallint[],
      ${changes.map((one) => (one.kind === "settle" ? (one.operatorRef ?? "") : ""))}::text[],
      ${changes.map((one) => one.reason ?? "")}::text[],
      ${numbers(changes.map((one) => Number(one.kind !== "settle" || one.watched)))}::smallint[],
      ${changes.map((one) => one.callbackId)}::text[],
      ${changes.map(notifyOf)}::text[],
      ${watches.map((one) => one.order.accountId)}::text[],
      ${watches.map((one) => one.order.orderId)}::text[],
      ${watches.map((one) => one.why)}::text[],
      ${watches.map((one) => new Date(one.dueAt).toISOString())}::timestamptz[],
      ${numbers(watches.map((one) => Number(one.answered)))}::smallint[],
      ${numbers(transfers.map((one) => placeOf(one.accountId)))}::integer[],
      ${numbers(transfers.map((one) => one.rank))}::integer[],
      ${transfers.map((one) => one.kind)}::text[],
      ${numbers(transfers.map((one) => one.amount))}::bigint[],
      ${numbers(transfers.map((one) => one.availableOffset))}::bigint[],
      ${transfers.map((one) => one.about)}::text[],
      ${transfers.map((one) => one.note)}::text[])`;
  return new Map(wallets.map((one, place) => [one.accountId, (row?.available?.[place] ?? 0n) + one.available]));
}

// Where none has one, not even noughts are sent.
function commissionsOf(orders: readonly Order[]): readonly bigint[] {
  return orders.some((one) => one.commission !== 0n) ? orders.map((one) => one.commission) : [];
}

// Spec, Events, status callbacks: a cancelled ticket is told in version 3 only.
function notifyOf(change: Plan["changes"][number]): string {
  if (change.kind === "settle") return "pending";
  return change.kind === "reverse" ? change.notify : "version 3";
}

// As a literal, because the driver takes an array of bigints for a single one.
function numbers(items: readonly (number | bigint)[]): string {
  return `{${items.join(",")}}`;
}
