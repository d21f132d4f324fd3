import type { Queryable } from "../../../platform/db/connection.ts";
import { formatFailure } from "../../shared/failure.ts";
import { type Order, stateNumber } from "../order.ts";
import { requiredState, stateAfter } from "./effects.ts";
import type { Plan } from "./plan.ts";

/** Writes a plan in one statement. Returns each wallet's available balance; raises when an assumption does not hold. */
export async function postPlan(sql: Queryable, plan: Plan, processId: string): Promise<ReadonlyMap<string, bigint>> {
  // Sorted by key, because the function locks wallets in this order.
  const wallets = [...plan.wallets.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  const places = new Map(wallets.map((one, at) => [one.accountId, at + 1]));
  const placeOf = (accountId: string): number => places.get(accountId) ?? 0;
  const orders = plan.accepts.map((one) => one.order);
  const { changes, polls, transfers } = plan;
  const [row] = await sql<{ available: bigint[] | null }[]>`
    select available from write_orders(
      ${new Date(plan.at)}, ${plan.today}, ${processId},
      ${column(wallets, (one) => one.accountId)}::text[],
      ${numbers(wallets, (one) => one.available)}::bigint[],
      ${numbers(wallets, (one) => one.held)}::bigint[],
      ${numbers(wallets, (one) => one.cleared)}::bigint[],
      ${numbers(wallets, (one) => one.funding)}::bigint[],
      ${numbers(wallets, (one) => one.fees)}::bigint[],
      ${numbers(wallets, (one) => one.rows)}::integer[],
      ${numbers(wallets, (one) => one.day)}::bigint[],
      ${numbers(wallets, (one) => one.dailyLimit ?? -1n)}::bigint[],
      ${numbers(orders, (one) => placeOf(one.accountId))}::integer[],
      ${column(orders, (one) => one.orderId)}::text[],
      ${column(orders, (one) => one.service)}::text[],
      ${column(orders, (one) => one.reference)}::text[],
      ${column(orders, (one) => one.fingerprint)}::text[],
      ${numbers(orders, (one) => one.amount)}::bigint[],
      ${column(orders, (one) => one.amountText)}::text[],
      ${numbers(orders, (one) => one.fee)}::bigint[],
      ${numbers(withCommission(orders), (one) => one.commission)}::bigint[],
      ${column(orders, (one) => one.target)}::text[],
      ${column(orders, (one) => one.operator)}::text[],
      ${column(orders, (one) => one.circle ?? "")}::text[],
      ${column(orders, (one) => one.provider)}::text[],
      ${column(orders, (one) => one.call)}::text[],
      ${numbers(orders, (one) => Number(one.credit))}::smallint[],
      ${numbers(changes, (one) => placeOf(one.order.accountId))}::integer[],
      ${column(changes, (one) => one.order.orderId)}::text[],
      ${numbers(changes, (one) => stateNumber(requiredState(one)))}::smallint[],
      ${numbers(changes, (one) => stateNumber(stateAfter(one)))}::smallint[],
      ${column(changes, (one) => (one.kind === "settle" ? (one.operatorRef ?? "") : ""))}::text[],
      ${column(changes, (one) => (one.failure === null ? "" : formatFailure(one.failure)))}::text[],
      ${numbers(changes, (one) => Number(one.kind !== "settle" || one.hasPoll))}::smallint[],
      ${column(changes, (one) => one.callbackId)}::text[],
      ${column(changes, notifyOf)}::text[],
      ${column(polls, (one) => one.order.accountId)}::text[],
      ${column(polls, (one) => one.order.orderId)}::text[],
      ${column(polls, (one) => one.why)}::text[],
      ${column(polls, (one) => new Date(one.dueAt).toISOString())}::timestamptz[],
      ${numbers(polls, (one) => Number(one.answered))}::smallint[],
      ${numbers(transfers, (one) => placeOf(one.accountId))}::integer[],
      ${numbers(transfers, (one) => one.position)}::integer[],
      ${column(transfers, (one) => one.kind)}::text[],
      ${numbers(transfers, (one) => one.amount)}::bigint[],
      ${numbers(transfers, (one) => one.availableOffset)}::bigint[],
      ${column(transfers, (one) => one.about)}::text[],
      ${column(transfers, (one) => one.note)}::text[])`;
  return new Map(wallets.map((one, place) => [one.accountId, (row?.available?.[place] ?? 0n) + one.available]));
}

// An empty array means no commissions, which saves sending zeros.
function withCommission(orders: readonly Order[]): readonly Order[] {
  return orders.some((one) => one.commission !== 0n) ? orders : [];
}

// Spec, Events, status callbacks: a cancelled ticket is notified in version 3 only.
function notifyOf(change: Plan["changes"][number]): string {
  if (change.kind === "settle") return "pending";
  return change.kind === "reverse" ? change.notify : "version 3";
}

// As an array literal, because the driver encodes an array of bigints as a single value.
function numbers<Item>(items: readonly Item[], pick: (item: Item) => number | bigint): string {
  return `{${column(items, pick).join(",")}}`;
}

// Not `map`: the optimizer would inline that loop for each column, which takes a quarter of a second.
function column<Item, Value>(items: readonly Item[], pick: (item: Item) => Value): Value[] {
  const values: Value[] = [];
  for (const item of items) values.push(pick(item));
  return values;
}
