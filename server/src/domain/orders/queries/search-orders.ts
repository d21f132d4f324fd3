import { orderIdAt, timeOfId } from "../../../platform/core/ids.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import {
  MAX_CANDIDATES,
  type RangeResult,
  SEARCH_MILLISECONDS,
  searchBackwards,
  type TimeRange,
} from "../../../platform/db/search-backwards.ts";
import { columns, type OrderRow } from "../store.ts";
import { type BrowseFilter, matchesAttributes, matchesRange, matchesStatus } from "./browse-filter.ts";
import { createRecentFilters } from "./recent-filters.ts";

export type SearchResult = {
  /** Newest first; at most as many as requested. */
  readonly rows: readonly OrderRow[];
  /** The search has covered everything from this id on; null when it has covered everything. */
  readonly reached: string | null;
};

// A time window with about this many orders is searched quickly.
const USUAL_ORDERS = 2_000;
const ID_LENGTH = 18;
// A shorter text is part of almost every order.
const MIN_PART_LENGTH = 3;

// The following pages need not look for whole values again.
const partsOnly = createRecentFilters();

/** Searches for whole values first, which indexes answer, and for parts of them only if no order has the text as a whole value. */
export async function searchWholeThenParts(sql: Sql, filter: BrowseFilter, enough: number): Promise<SearchResult> {
  const deadline = performance.now() + SEARCH_MILLISECONDS;
  // An earlier page may have had whole values.
  if (filter.before !== null) return await searchOrders(sql, await withParts(sql, filter), enough, deadline);
  const whole = await searchOrders(sql, filter, enough, deadline);
  if (whole.rows.length > 0 || whole.reached !== null || !canBePart(filter)) return whole;
  partsOnly.add(sql, filter);
  return await searchOrders(sql, { ...filter, searchesParts: true }, enough, deadline);
}

function canBePart({ search }: BrowseFilter): boolean {
  return search !== null && search.length >= MIN_PART_LENGTH;
}

/** The filter that finds parts of values, if no order of the filter has the search term as a whole value. */
export async function withParts<Filter extends BrowseFilter>(sql: Sql, filter: Filter): Promise<Filter> {
  if (!canBePart(filter)) return filter;
  if (partsOnly.has(sql, filter)) return { ...filter, searchesParts: true };
  const { rows, reached } = await searchOrders(
    sql,
    { ...filter, searchesParts: false, before: null },
    1,
    performance.now() + SEARCH_MILLISECONDS,
  );
  if (rows.length > 0 || reached !== null) return filter;
  partsOnly.add(sql, filter);
  return { ...filter, searchesParts: true };
}

/** Searches the newest orders that match a filter, with the help of the table's block-range indexes. */
async function searchOrders(sql: Sql, filter: BrowseFilter, enough: number, deadline: number): Promise<SearchResult> {
  // Of all orders: the first of a mode may be far from the first of all.
  const bounds = await boundsOf(sql, { ...filter, mode: null });
  if (bounds === null) return { rows: [], reached: null };
  return await sql.begin("read only", async (tx) => {
    // The number of matching orders varies too much for one generic plan.
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
      set_config('enable_indexscan', 'off', true)`;
    const seldom = filter.search !== null && filter.searchesParts !== true;
    const { rows, reached } = await searchBackwards({
      ...bounds,
      seldom,
      enough,
      deadline,
      look: (range, most) => searchWindow(tx, filter, range, most),
    });
    return { rows, reached: reached === null ? null : idAt(reached) };
  });
}

async function boundsOf(sql: Sql, filter: BrowseFilter): Promise<{ readonly whole: TimeRange; readonly usual: number } | null> {
  const ids = (order: "asc" | "desc", offset: number) =>
    sql`(select o.order_id from orders o where ${matchesRange(sql, filter)} order by o.order_id ${sql.unsafe(order)} offset ${offset} limit 1)`;
  const [row] = await sql<{ oldest: string | null; newest: string | null; recent: string | null }[]>`
    select ${ids("asc", 0)} as oldest, ${ids("desc", 0)} as newest, ${ids("desc", USUAL_ORDERS)} as recent`;
  if (!row || row.oldest === null || row.newest === null) return null;
  const whole = { begin: timeOfId(row.oldest), end: timeOfId(row.newest) + 1 };
  return { whole, usual: whole.end - timeOfId(row.recent ?? row.oldest) };
}

async function searchWindow(tx: Transaction, filter: BrowseFilter, range: TimeRange, most: number): Promise<RangeResult<OrderRow>> {
  const rows = await tx<(OrderRow & { readonly candidates: number })[]>`
    with c as materialized (
      select ${columns(tx)} from orders o
      where ${matchesRange(tx, filter)} and o.order_id >= ${idAt(range.begin)} and o.order_id < ${idAt(range.end)} and ${matchesAttributes(tx, filter)}
      limit ${MAX_CANDIDATES + 1})
    select n.candidates, o.* from (select count(*)::int as candidates from c) n
    left join lateral (select o.* from c o where ${matchesStatus(tx, filter)} order by o.order_id desc limit ${most}) o on true
    order by o.order_id desc`;
  // A search for parts reads every order of its range, so an empty range must not make the next one much longer.
  const fewest = filter.searchesParts === true ? 1 : 0;
  return { candidates: Math.max(fewest, rows[0]?.candidates ?? 0), rows: rows.filter((row) => row.order_id !== null) };
}

/** The smallest id of a millisecond, padded to the length of an order id. */
function idAt(milliseconds: number): string {
  return orderIdAt(milliseconds).padEnd(ID_LENGTH, "0");
}
