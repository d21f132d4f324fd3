import type { Queryable } from "../../platform/db/connection.ts";
import { stateNumber } from "../orders/order.ts";

const [PENDING, SUCCESS] = [stateNumber("pending"), stateNumber("SUCCESS")];

// What a run reads of the orders of one cell. It never joins them with the lines of the file, which are at home.

export type Day = {
  readonly provider: string;
  /** The ids of the day's orders: from the first, up to but not including the end. */
  readonly firstId: string;
  readonly endId: string;
};

/** The number of orders created that day, at any provider. */
export async function countDay(sql: Queryable, { firstId, endId }: Day): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from orders where order_id >= ${firstId} and order_id < ${endId}`;
  return row?.count ?? 0;
}

export type Referenced = { readonly operatorRef: string; readonly orderId: string; readonly count: number };

/** The orders with one of these references of the provider. */
export async function findReferenced(sql: Queryable, around: Day, references: readonly string[]): Promise<readonly Referenced[]> {
  const rows = await sql<{ operator_ref: string; order_id: string; order_count: number }[]>`
    select operator_ref, min(order_id) as order_id, count(*)::int as order_count from orders
    where order_id >= ${around.firstId} and order_id < ${around.endId} and provider = ${around.provider}
      and operator_ref = any(${references as string[]})
    group by operator_ref`;
  return rows.map((row) => ({ operatorRef: row.operator_ref, orderId: row.order_id, count: row.order_count }));
}

export type FoundOrder = {
  readonly accountId: string;
  readonly orderId: string;
  readonly amount: bigint;
  readonly state: number;
  readonly attempt: number;
  readonly isWithProvider: boolean;
  /** The provider was tried, but the order has moved to another one. */
  readonly wasTried: boolean;
  /** Was SUCCESS before it became FAILED. */
  readonly takenBack: boolean;
};

/** The orders with these ids, as they stand at the provider. */
export async function findOrders(sql: Queryable, provider: string, orderIds: readonly string[]): Promise<readonly FoundOrder[]> {
  return await sql<FoundOrder[]>`
    select o.account_id as "accountId", o.order_id as "orderId", o.amount, o.state::int as state, o.attempt::int as attempt,
      o.provider = ${provider} as "isWithProvider",
      o.provider <> ${provider} and exists (
        select from order_attempts a
        where a.account_id = o.account_id and a.order_id = o.order_id and a.provider = ${provider}) as "wasTried",
      o.provider = ${provider} and o.state = ${stateNumber("FAILED")} and exists (
        select from transfers t where t.account_id = o.account_id and t.order_id = o.order_id
          and t.kind in ('capture', 'fee', 'credit')) as "takenBack"
    from orders o where o.order_id = any(${orderIds as string[]})`;
}

export type Scan = { readonly day: Day; readonly after: string; readonly limit: number };
export type ScannedOrder = { readonly accountId: string; readonly orderId: string; readonly amount: bigint; readonly state: number };
export type Scanned = { readonly last: string | null; readonly scanned: number; readonly orders: readonly ScannedOrder[] };

/** The next orders of the day that the file should name: not FAILED ones, because many providers list only what they carried out. */
export async function scanDay(sql: Queryable, { day, after, limit }: Scan): Promise<Scanned> {
  const rows = await sql<(ScannedOrder & { readonly listed: boolean })[]>`
    select account_id as "accountId", order_id as "orderId", amount, state::int as state,
      provider = ${day.provider} and state in (${PENDING}, ${SUCCESS}) as listed
    from orders
    where order_id > ${after} and order_id >= ${day.firstId} and order_id < ${day.endId} order by order_id limit ${limit}`;
  return { last: rows.at(-1)?.orderId ?? null, scanned: rows.length, orders: rows.filter((row) => row.listed) };
}
