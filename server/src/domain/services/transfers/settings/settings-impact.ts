import { orderIdAt } from "../../../../platform/core/ids.ts";
import { indiaMonth } from "../../../../platform/core/india-time.ts";
import { type Money, moneyOf } from "../../../../platform/core/money.ts";
import { rateOf } from "../../../../platform/core/rate.ts";
import type { Sql } from "../../../../platform/db/connection.ts";
import { stateNumber } from "../../../orders/order.ts";
import { SERVICE } from "../context.ts";
import type { TransferSettings } from "./settings-store.ts";

/** The effect that other limits and fees would have had on the transfers of the last days. */
export type SettingsImpact = {
  readonly transfers: number;
  readonly accounts: number;
  /** Transfers that the proposed limits would have refused. */
  readonly refused: number;
  /** Senders who have already sent more than the proposed limit this month. */
  readonly sendersOverLimit: number;
  readonly fees: Money;
  readonly currentFees: Money;
  readonly since: number;
  readonly complete: boolean;
};

export const IMPACT_DAYS = 30;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
// Only the latest orders are scanned, so that a busy installation answers in time too.
const MAX_ORDERS = 50_000;

type Group = {
  readonly account_id: string;
  readonly sender: string;
  readonly month: string;
  readonly amount: bigint;
  readonly transfers: number;
};

export async function readSettingsImpact(
  sql: Sql,
  settings: { readonly current: TransferSettings; readonly proposed: TransferSettings },
  now: number,
): Promise<SettingsImpact> {
  const asked = now - IMPACT_DAYS * DAY_MILLISECONDS;
  const { groups, looked, oldest } = await readTransfers(sql, asked);
  const complete = looked < MAX_ORDERS;
  const { proposed, current } = settings;
  const isRefused = ({ amount }: Group) => amount < proposed.minAmount || amount > proposed.maxAmount;
  return {
    transfers: count(groups),
    accounts: new Set(groups.map((group) => group.account_id)).size,
    refused: count(groups.filter(isRefused)),
    sendersOverLimit: sendersOver(groups, indiaMonth(now), proposed.monthLimit),
    fees: feesBy(
      proposed,
      groups.filter((group) => !isRefused(group)),
    ),
    currentFees: feesBy(current, groups),
    since: complete ? asked : (oldest?.getTime() ?? asked),
    complete,
  };
}

function count(groups: readonly Group[]): number {
  return groups.reduce((sum, { transfers }) => sum + transfers, 0);
}

function feesBy({ fee }: TransferSettings, groups: readonly Group[]): Money {
  return moneyOf(groups.reduce((sum, { amount, transfers }) => sum + rateOf(moneyOf(amount), fee) * BigInt(transfers), 0n));
}

function sendersOver(groups: readonly Group[], month: string, limit: Money): number {
  const sums = new Map<string, bigint>();
  for (const group of groups.filter((one) => one.month === month)) {
    const sender = `${group.account_id} ${group.sender}`;
    sums.set(sender, (sums.get(sender) ?? 0n) + group.amount * BigInt(group.transfers));
  }
  return [...sums.values()].filter((sum) => sum > limit).length;
}

type Read = { readonly groups: readonly Group[]; readonly looked: number; readonly oldest: Date | null };

async function readTransfers(sql: Sql, since: number): Promise<Read> {
  const [seen] = await sql<{ looked: number; oldest: Date | null; first: string | null }[]>`
    select count(*)::int as looked, min(created_at) as oldest, min(order_id) as first
    from (select order_id, created_at from orders where order_id >= ${orderIdAt(since)} order by order_id desc limit ${MAX_ORDERS}) latest`;
  const { looked = 0, oldest = null, first = null } = seen ?? {};
  if (first === null) return { groups: [], looked, oldest };
  const groups = await sql<Group[]>`
    select q.account_id, q.sender, q.used_month as month, q.amount, count(*)::int as transfers
    from orders o join transfer_quotes q on q.account_id = o.account_id and q.order_id = o.order_id
    where o.order_id >= ${first} and o.service = ${SERVICE} and o.state <> ${stateNumber("FAILED")}
    group by q.account_id, q.sender, q.used_month, q.amount`;
  return { groups, looked, oldest };
}
