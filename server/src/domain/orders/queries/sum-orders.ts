import type { Sql } from "../../../platform/db/connection.ts";
import { type OrderState, stateOf } from "../order.ts";
import { idsOf } from "../store.ts";

/** The number of orders by hour, state and time to the final state. */
export type OrderSum = {
  /** Start of the hour in India's time zone, in milliseconds since 1970. */
  readonly hour: number;
  readonly state: OrderState;
  /** Index into FINAL_WITHIN_SECONDS; null for orders that are pending or reversed. */
  readonly bucket: number | null;
  readonly count: number;
  readonly amount: bigint;
};

export const FINAL_WITHIN_SECONDS = [1, 5, 30, 120, 600] as const;

export async function sumOrders(
  sql: Sql,
  accountId: string,
  fromMilliseconds: number,
  toMilliseconds: number,
): Promise<readonly OrderSum[]> {
  const [firstId, endId] = idsOf(fromMilliseconds, toMilliseconds);
  const rows = await sql<{ hour: number; state: number; bucket: number | null; count: number; amount: bigint }[]>`
    select floor((date_part('epoch', created_at) + 19800) / 3600) as hour, state,
      -- Only a success gives an operator's reference: with one, a failure is the second end of its order.
      case when state = 1 or (state = 2 and operator_ref is null)
        then width_bucket(date_part('epoch', updated_at - created_at), ${`{${FINAL_WITHIN_SECONDS.join(",")}}`}::text::float8[]) end as bucket,
      count(*)::int as count, sum(amount)::bigint as amount
    from orders where account_id = ${accountId} and order_id >= ${firstId} and order_id < ${endId}
      and created_at >= ${new Date(fromMilliseconds)} and created_at < ${new Date(toMilliseconds)}
    group by 1, 2, 3`;
  return rows.map((row) => ({ ...row, hour: (row.hour * 3600 - 19_800) * 1000, state: stateOf(row.state) }));
}

/** Counts orders that have been pending since before a time, up to a limit. Each of them has a pending poll. */
export async function countPending(sql: Sql, accountId: string, createdBefore: number, most: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from pending_polls w join orders o on o.account_id = w.account_id and o.order_id = w.order_id
      where w.account_id = ${accountId} and o.state = 0 and o.created_at < ${new Date(createdBefore)} limit ${most}) bounded`;
  return row?.count ?? 0;
}

/** When the account's first order was created; null when there is none. */
export async function readFirstOrderTime(sql: Sql, accountId: string): Promise<Date | null> {
  const [row] = await sql<{ created_at: Date }[]>`select created_at from orders where account_id = ${accountId} order by order_id limit 1`;
  return row?.created_at ?? null;
}
