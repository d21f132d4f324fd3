import type { Sql } from "../../../platform/db/connection.ts";
import { countedByHour, sums } from "./roll-up-sql.ts";

/** Orders of an account by hour and state. */
export type HourSum = {
  /** Start of the hour in India's time zone, in milliseconds since 1970. */
  readonly hour: number;
  /** As order_rollups.state. */
  readonly state: number;
  readonly orders: number;
  readonly amount: bigint;
  readonly latency: readonly number[];
};

/**
 * The hours from `from` until now: what is rolled up, and the newest orders, which are counted on demand. One statement reads
 * both, so that no order is missed or counted twice while the position advances.
 */
export async function readRecentHours(sql: Sql, accountId: string, from: number): Promise<readonly HourSum[]> {
  const newest = sql`o.account_id = ${accountId} and o.created_at >= ${new Date(from)}
    and o.order_id >= (select next_order_id from order_rollup_position)`;
  const rows = await sql<(Omit<HourSum, "hour"> & { readonly hour: Date })[]>`
    select hour, state, ${sums(sql)} from (
      select hour, state, orders, amount, latency from order_rollups where account_id = ${accountId} and hour >= ${new Date(from)}
      union all
      select hour, state, orders, amount, latency from (${countedByHour(sql, newest)}) n) h
    group by hour, state`;
  return rows.map((row) => ({ ...row, hour: row.hour.getTime() }));
}
