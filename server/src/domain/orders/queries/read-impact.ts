import { orderIdAt } from "../../../platform/core/ids.ts";
import { type Money, moneyOf } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";

/** What is about to be switched off. */
export type ImpactOf = { readonly kind: "operator" | "service" | "provider"; readonly name: string };

/** The recent and pending orders that a switch would have affected. */
export type Impact = {
  /** Milliseconds since 1970: an hour ago, or later when the scan limit was reached. */
  readonly since: number;
  readonly orders: number;
  readonly accounts: number;
  readonly amount: Money;
  /** Orders that are not final now, of any age; counted up to a limit. */
  readonly pending: number;
};

const HOUR_MILLISECONDS = 60 * 60 * 1000;
const MAX_SCANNED = 50_000;
const MAX_PENDING = 10_000;

/** Computes the effect of switching something off. Scans only the newest orders, so that the console can show it at once. */
export async function readImpact(sql: Sql, of: ImpactOf, now: number, most = MAX_SCANNED): Promise<Impact> {
  const firstId = orderIdAt(now - HOUR_MILLISECONDS);
  const recent = await readRecent(sql, of, firstId, most);
  const { looked, since } = recent;
  const old = await countOld(sql, of, recent.first ?? firstId);
  return {
    since: looked < most || since === null ? now - HOUR_MILLISECONDS : since.getTime(),
    orders: recent.orders,
    accounts: recent.accounts,
    amount: moneyOf(recent.amount),
    pending: recent.pending + old,
  };
}

type Recent = {
  readonly looked: number;
  readonly first: string | null;
  readonly since: Date | null;
  readonly orders: number;
  readonly accounts: number;
  readonly amount: bigint;
  readonly pending: number;
};

async function readRecent(sql: Sql, of: ImpactOf, firstId: string, most: number): Promise<Recent> {
  const [row] = await sql<Recent[]>`
    select coalesce(sum(looked), 0)::int as looked, min(first) as first, min(since) as since, coalesce(sum(orders), 0)::int as orders,
      count(*) filter (where orders > 0)::int as accounts, coalesce(sum(amount), 0)::bigint as amount, coalesce(sum(pending), 0)::int as pending
    from (
      -- By account first: telling them apart by sorting all orders takes longer than all the rest.
      select account_id, count(*) as looked, min(order_id) as first, min(created_at) as since, count(*) filter (where meant) as orders,
        sum(amount) filter (where meant) as amount, count(*) filter (where meant and state = 0) as pending
      from (
        select account_id, order_id, state, amount, created_at, ${sql(of.kind)} = ${of.name} as meant
        from orders where order_id >= ${firstId} order by order_id desc limit ${most}) recent
      group by account_id) accounts`;
  return row ?? { looked: 0, first: null, since: null, orders: 0, accounts: 0, amount: 0n, pending: 0 };
}

// Every older order that is not final has a pending poll.
async function countOld(sql: Sql, of: ImpactOf, beforeId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from pending_polls w join orders o on o.account_id = w.account_id and o.order_id = w.order_id
      where w.order_id < ${beforeId} and o.state = 0 and ${sql(`o.${of.kind}`)} = ${of.name} limit ${MAX_PENDING}) bounded`;
  return row?.count ?? 0;
}
