import type { Queryable } from "../../../platform/db/connection.ts";
import { MOVES } from "../../ledger/moves.ts";
import { formatFailure } from "../../shared/failure.ts";
import { type AttemptRecord, newRecords } from "../attempts/store.ts";
import { type Order, stateNumber } from "../order.ts";
import { digestArray, referenceDigest } from "../reference-digest.ts";
import { requiredState, stateAfter } from "./effects.ts";
import { notificationOf } from "./notifications.ts";
import type { Plan } from "./plan.ts";

/**
 * Writes a plan in one statement, with the evidence that its changes come from. Returns each wallet's available balance; raises
 * when an assumption does not hold.
 */
export async function postPlan(
  sql: Queryable,
  plan: Plan,
  processId: string,
  evidence: readonly AttemptRecord[] = [],
): Promise<ReadonlyMap<string, bigint>> {
  // Sorted by key, because the function locks wallets in this order.
  const wallets = [...plan.wallets.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  const places = new Map(wallets.map((one, at) => [one.accountId, at + 1]));
  const placeOf = (accountId: string): number => places.get(accountId) ?? 0;
  const orders = plan.accepts.map((one) => one.order);
  const { changes, polls, transfers } = plan;
  const [row] = await sql<{ available: bigint[] | null }[]>`
    ${evidence.length === 0 ? sql`` : sql`with ${newRecords(sql, evidence)}`}
    select available from write_orders(
      at => ${new Date(plan.at)}, today => ${plan.today}, process => ${processId},
      wallet_accounts => ${column(wallets, (one) => one.accountId)}::text[],
      wallet_available => ${numbers(wallets, (one) => one.available)}::bigint[],
      wallet_held => ${numbers(wallets, (one) => one.held)}::bigint[],
      wallet_cleared => ${numbers(wallets, (one) => one.cleared)}::bigint[],
      wallet_funding => ${numbers(wallets, (one) => one.funding)}::bigint[],
      wallet_fees => ${numbers(wallets, (one) => one.fees)}::bigint[],
      wallet_transfers => ${numbers(wallets, (one) => one.rows)}::integer[],
      wallet_day_totals => ${numbers(wallets, (one) => one.day)}::bigint[],
      wallet_day_limits => ${numbers(wallets, (one) => one.dailyLimit ?? -1n)}::bigint[],
      order_wallets => ${numbers(orders, (one) => placeOf(one.accountId))}::integer[],
      order_ids => ${column(orders, (one) => one.orderId)}::text[],
      order_digests => ${digestArray(column(orders, referenceDigest))}::uuid[],
      order_services => ${column(orders, (one) => one.service)}::text[],
      order_references => ${column(orders, (one) => one.reference)}::text[],
      order_fingerprints => ${column(orders, (one) => one.fingerprint)}::text[],
      order_amounts => ${numbers(orders, (one) => one.amount)}::bigint[],
      order_amount_texts => ${column(orders, (one) => one.amountText)}::text[],
      order_fees => ${numbers(orders, (one) => one.fee)}::bigint[],
      order_commissions => ${numbers(withCommission(orders), (one) => one.commission)}::bigint[],
      order_targets => ${column(orders, (one) => one.target)}::text[],
      order_operators => ${column(orders, (one) => one.operator)}::text[],
      order_circles => ${column(orders, (one) => one.circle ?? "")}::text[],
      order_providers => ${column(orders, (one) => one.provider)}::text[],
      order_provider_versions => ${numbers(withVersion(orders), (one) => one.providerVersion ?? 0)}::integer[],
      order_operations => ${column(orders, (one) => one.operation)}::text[],
      order_credits => ${numbers(orders, (one) => Number(one.credit))}::smallint[],
      change_wallets => ${numbers(changes, (one) => placeOf(one.order.accountId))}::integer[],
      change_order_ids => ${column(changes, (one) => one.order.orderId)}::text[],
      change_from_states => ${numbers(changes, (one) => stateNumber(requiredState(one)))}::smallint[],
      change_to_states => ${numbers(changes, (one) => stateNumber(stateAfter(one)))}::smallint[],
      change_operator_refs => ${column(changes, (one) => (one.kind === "settle" ? (one.operatorRef ?? "") : ""))}::text[],
      change_reasons => ${column(changes, (one) => (one.failure === null ? "" : formatFailure(one.failure)))}::text[],
      change_polled => ${numbers(changes, (one) => Number(one.kind !== "settle" || one.hasPoll))}::smallint[],
      change_callback_ids => ${column(changes, (one) => one.callbackId)}::text[],
      change_notify => ${column(changes, notificationOf)}::text[],
      poll_accounts => ${column(polls, (one) => one.order.accountId)}::text[],
      poll_order_ids => ${column(polls, (one) => one.order.orderId)}::text[],
      poll_reasons => ${column(polls, (one) => one.why)}::text[],
      poll_due_times => ${column(polls, (one) => new Date(one.dueAt).toISOString())}::timestamptz[],
      poll_answered => ${numbers(polls, (one) => Number(one.answered))}::smallint[],
      transfer_wallets => ${numbers(transfers, (one) => placeOf(one.accountId))}::integer[],
      transfer_ranks => ${numbers(transfers, (one) => one.position)}::integer[],
      transfer_kind_names => ${column(transfers, (one) => one.kind)}::text[],
      transfer_from_buckets => ${column(transfers, (one) => MOVES[one.kind].from)}::text[],
      transfer_to_buckets => ${column(transfers, (one) => MOVES[one.kind].to)}::text[],
      transfer_amounts => ${numbers(transfers, (one) => one.amount)}::bigint[],
      transfer_balance_offsets => ${numbers(transfers, (one) => one.availableOffset)}::bigint[],
      transfer_subjects => ${column(transfers, (one) => one.about)}::text[],
      transfer_notes => ${column(transfers, (one) => one.note)}::text[])`;
  return new Map(wallets.map((one, place) => [one.accountId, (row?.available?.[place] ?? 0n) + one.available]));
}

// An empty array means no commissions, which saves sending zeros.
function withCommission(orders: readonly Order[]): readonly Order[] {
  return orders.some((one) => one.commission !== 0n) ? orders : [];
}

function withVersion(orders: readonly Order[]): readonly Order[] {
  return orders.some((one) => one.providerVersion !== null) ? orders : [];
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
