import type { Sql } from "../../platform/db/connection.ts";
import { type BrowseFilter, hasMark, isInDoubt, isState, place } from "./browse-filter.ts";
import type { Order } from "./order.ts";
import { columns, idsOf, type OrderRow, toOrder } from "./store.ts";

export type Stretch = { readonly accountId: string; readonly fromMilliseconds: number; readonly toMilliseconds: number };

/** Oldest first, beginning after an order. Every order of the stretch, whatever its state. */
export async function readOrdersAfter(sql: Sql, stretch: Stretch, after: string | null, limit: number): Promise<readonly Order[]> {
  const rows = await sql<OrderRow[]>`
    select ${columns(sql)} from orders o where ${within(sql, stretch)} and o.order_id > ${after ?? ""} order by o.order_id limit ${limit}`;
  return rows.map(toOrder);
}

export async function countOrders(sql: Sql, stretch: Stretch): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from orders o where ${within(sql, stretch)}`;
  return row?.count ?? 0;
}

function within(sql: Sql, { accountId, fromMilliseconds, toMilliseconds }: Stretch) {
  const [firstId, endId] = idsOf(fromMilliseconds, toMilliseconds);
  return sql`o.account_id = ${accountId} and o.order_id >= ${firstId} and o.order_id < ${endId}
    and o.created_at >= ${new Date(fromMilliseconds)} and o.created_at < ${new Date(toMilliseconds)}`;
}

/** A piece of everybody's orders: how many were looked at, which of them are asked for, oldest first, and the last one's id. */
export type Piece = { readonly looked: number; readonly orders: readonly Order[]; readonly last: string | null };

/** Goes through all orders of a time, whosever they are, and takes those of a filter: what is seldom takes no longer than what is not. */
export async function readPieceAfter(sql: Sql, filter: BrowseFilter, after: string | null, looked: number): Promise<Piece> {
  const rows = await sql<(OrderRow & { readonly looked: number; readonly last: string | null })[]>`
    with s as materialized (
      select ${columns(sql)} from orders o where ${place(sql, filter)} and o.order_id > ${after ?? ""} order by o.order_id limit ${looked})
    select n.looked, n.last, o.* from (select count(*)::int as looked, max(order_id) as last from s) n
    left join lateral (
      select o.* from s o where ${hasMark(sql, filter)} and ${isState(sql, filter)} and ${isInDoubt(sql, filter)}) o on true
    order by o.order_id`;
  const [first] = rows;
  return { looked: first?.looked ?? 0, last: first?.last ?? null, orders: rows.filter((row) => row.order_id !== null).map(toOrder) };
}

/** How many orders a filter's time has, whatever else it asks for. */
export async function countLookedAt(sql: Sql, filter: BrowseFilter): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from orders o where ${place(sql, filter)}`;
  return row?.count ?? 0;
}
