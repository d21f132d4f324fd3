import type { Fragment } from "postgres";
import type { Sql } from "../../../platform/db/connection.ts";
import type { Order } from "../order.ts";
import { columns, type OrderRow, toOrder } from "../store.ts";
import { type BrowseFilter, matchesAttributes, matchesDoubt, matchesRange, matchesStatus } from "./browse-filter.ts";

/** One page of an export: orders scanned, orders that match, and the last scanned id. */
export type ExportPage = { readonly looked: number; readonly orders: readonly Order[]; readonly last: string | null };

/** Which orders a page covers: those after an id, at most so many, and none after `through`. */
export type ExportRange = { readonly after: string | null; readonly limit: number; readonly through?: string | null };

/** Scans all orders of the time range in pages and returns those that match, so rare matches cost no more than common ones. */
export async function scanOrdersAfter(sql: Sql, filter: BrowseFilter, range: ExportRange): Promise<ExportPage> {
  const rows = await sql<(OrderRow & { readonly looked: number; readonly last: string | null })[]>`
    with s as materialized (
      select ${columns(sql)} from orders o where ${isNext(sql, filter, range)} order by o.order_id limit ${range.limit})
    select n.looked, n.last, o.* from (select count(*)::int as looked, max(order_id) as last from s) n
    left join lateral (
      select o.* from s o where ${matchesAttributes(sql, filter)} and ${matchesStatus(sql, filter)} and ${matchesDoubt(sql, filter)}) o on true
    order by o.order_id`;
  const [first] = rows;
  return { looked: first?.looked ?? 0, last: first?.last ?? null, orders: rows.filter((row) => row.order_id !== null).map(toOrder) };
}

/** The number of orders that an export of this filter has to scan. */
export async function countScanned(sql: Sql, filter: BrowseFilter): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from orders o where ${matchesRange(sql, filter)}`;
  return row?.count ?? 0;
}

/** The last id of a full page; null if fewer orders are left. */
export async function findPageEnd(sql: Sql, filter: BrowseFilter, range: ExportRange): Promise<string | null> {
  const [row] = await sql<{ order_id: string }[]>`
    select o.order_id from orders o where ${isNext(sql, filter, range)} order by o.order_id offset ${range.limit - 1} limit 1`;
  return row?.order_id ?? null;
}

function isNext(sql: Sql, filter: BrowseFilter, { after, through = null }: ExportRange): Fragment {
  return sql`${matchesRange(sql, filter)} and o.order_id > ${after ?? ""} ${through === null ? sql`` : sql`and o.order_id <= ${through}`}`;
}
