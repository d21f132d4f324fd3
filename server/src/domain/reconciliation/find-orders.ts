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

/** How many moves have brought an account to another cell since the installation began. */
export async function countMoves(home: Queryable): Promise<number> {
  const [row] = await home<{ moves: number }[]>`select count(*)::int as moves from account_moves where phase in ('switched', 'done')`;
  return row?.moves ?? 0;
}

/** The number of orders created that day, at any provider. */
export async function countDay(sql: Queryable, { firstId, endId }: Day): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from orders where order_id >= ${firstId} and order_id < ${endId}`;
  return row?.count ?? 0;
}

/** A reference with the number of orders that have it, and one of them. */
export type Referenced = { readonly reference: string; readonly orderId: string; readonly count: number };

// Each search of the BRIN index reads a part of all orders, so that many references are compared with the orders of the days.
const MOST_SEARCHED = 200;

/** The orders with one of these operator references. */
export async function findByOperatorRef(sql: Queryable, around: Day, references: readonly string[]): Promise<readonly Referenced[]> {
  const ofDays = sql`order_id >= ${around.firstId} and order_id < ${around.endId} and provider = ${around.provider}`;
  if (references.length <= MOST_SEARCHED)
    return await sql<Referenced[]>`
      select operator_ref as reference, min(order_id) as "orderId", count(*)::int as count from orders
      where ${ofDays} and operator_ref = any(${references as string[]}) group by operator_ref`;
  return await sql<Referenced[]>`
    select reference, min(order_id) as "orderId", count(order_id)::int as count from (
      select operator_ref as reference, order_id from orders where ${ofDays} and operator_ref is not null
      union all select reference, null from unnest(${references as string[]}::text[]) as given (reference)) all_references
    group by reference having count(order_id) > 0 and count(*) > count(order_id)`;
}

/** The orders that the provider calls by one of these ids. An order may have been tried there more than once. */
export async function findByProviderRef(sql: Queryable, around: Day, references: readonly string[]): Promise<readonly Referenced[]> {
  return await sql<Referenced[]>`
    select given.reference, min(r.order_id) as "orderId", count(distinct r.order_id)::int as count
    from unnest(${references as string[]}::text[]) as given (reference)
    cross join lateral (
      select order_id from order_provider_refs
      where provider = ${around.provider} and provider_ref = given.reference
        and order_id >= ${around.firstId} and order_id < ${around.endId} offset 0) r
    group by given.reference`;
}

/** The orders that were sent with one of these references, which were made for the provider. */
export async function findByMadeReference(
  sql: Queryable,
  { provider }: Day,
  references: readonly string[],
): Promise<readonly Referenced[]> {
  return await sql<Referenced[]>`
    select given.reference, m.subject as "orderId", 1 as count from unnest(${references as string[]}::text[]) as given (reference)
    cross join lateral (
      select subject from provider_references where provider = ${provider} and reference = given.reference offset 0) m`;
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
