import { orderIdAt } from "../../../platform/core/ids.ts";
import { type Money, moneyOf } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";

/** Recent orders of a client for one service and operator. */
export type TrafficGroup = {
  readonly account_id: string;
  readonly name: string;
  readonly service: string;
  readonly operator: string;
  readonly orders: number;
  readonly amount: bigint;
};

/** The recent orders that a change of routing would have affected. */
export type Traffic = {
  /** Milliseconds since 1970: an hour ago, or later when the scan limit was reached. */
  readonly since: number;
  readonly orders: number;
  readonly amount: Money;
  /** Names of the clients, those with the most orders first. */
  readonly clients: readonly string[];
};

const HOUR_MILLISECONDS = 60 * 60 * 1000;
const MAX_SCANNED = 50_000;

/** Sums the last hour's orders that a change would affect. Sandbox accounts are left out, because no route applies to them. */
export async function readTraffic(
  sql: Sql,
  isAffected: (group: Pick<TrafficGroup, "service" | "operator">) => boolean,
  now: number,
): Promise<Traffic> {
  const hourAgo = now - HOUR_MILLISECONDS;
  const rows = await sql<(TrafficGroup & { readonly since: Date })[]>`
    select r.account_id, a.name, r.service, r.operator, count(*)::int as orders, sum(r.amount)::bigint as amount, min(r.created_at) as since
    from (
      select account_id, service, operator, amount, created_at
      from orders where order_id >= ${orderIdAt(hourAgo)} order by order_id desc limit ${MAX_SCANNED}) r
    join accounts a on a.account_id = r.account_id and not a.sandbox
    group by r.account_id, a.name, r.service, r.operator`;
  const scanned = rows.reduce((sum, row) => sum + row.orders, 0);
  const oldest = Math.min(...rows.map((row) => row.since.getTime()));
  const affected = rows.filter(isAffected);
  return {
    since: scanned < MAX_SCANNED ? hourAgo : oldest,
    orders: affected.reduce((sum, row) => sum + row.orders, 0),
    amount: moneyOf(affected.reduce((sum, row) => sum + row.amount, 0n)),
    clients: clientsOf(affected),
  };
}

function clientsOf(groups: readonly TrafficGroup[]): readonly string[] {
  const byAccount = new Map<string, { readonly name: string; readonly orders: number }>();
  for (const { account_id: id, name, orders } of groups) byAccount.set(id, { name, orders: orders + (byAccount.get(id)?.orders ?? 0) });
  return [...byAccount.values()].toSorted((one, other) => other.orders - one.orders).map(({ name }) => name);
}
