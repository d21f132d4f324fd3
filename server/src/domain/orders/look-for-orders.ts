import { orderIdAt, timeOfId } from "../../platform/core/ids.ts";
import type { Sql, Transaction } from "../../platform/db/connection.ts";
import { searchBackwards, MAX_CANDIDATES, type RangeResult, type TimeRange } from "../../platform/db/search-backwards.ts";
import { type BrowseFilter, hasMark, isState, place } from "./browse-filter.ts";
import { columns, type OrderRow } from "./store.ts";

export type Found = {
  /** Newest first; at most as many as were enough. */
  readonly rows: readonly OrderRow[];
  /** Everything from this id on was looked at; null when that is all there is. */
  readonly reached: string | null;
};

// A range of about so many orders is not too long.
const USUAL_ORDERS = 2_000;
const ID_LENGTH = 18;

/** The newest orders of a filter, by where the summaries of the table say that some may be. */
export async function lookForOrders(sql: Sql, filter: BrowseFilter, enough: number): Promise<Found> {
  const bounds = await boundsOf(sql, filter);
  if (bounds === null) return { rows: [], reached: null };
  return await sql.begin("read only", async (tx) => {
    // How many orders there are of whatever is asked for differs too much for one plan for all.
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
      set_config('enable_indexscan', 'off', true)`;
    const seldom = filter.search !== null;
    const { rows, reached } = await searchBackwards({ ...bounds, seldom, enough, look: (range, most) => lookAt(tx, filter, range, most) });
    return { rows, reached: reached === null ? null : idAt(reached) };
  });
}

async function boundsOf(sql: Sql, filter: BrowseFilter): Promise<{ readonly whole: TimeRange; readonly usual: number } | null> {
  const ids = (order: "asc" | "desc", offset: number) =>
    sql`(select o.order_id from orders o where ${place(sql, filter)} order by o.order_id ${sql.unsafe(order)} offset ${offset} limit 1)`;
  const [row] = await sql<{ oldest: string | null; newest: string | null; recent: string | null }[]>`
    select ${ids("asc", 0)} as oldest, ${ids("desc", 0)} as newest, ${ids("desc", USUAL_ORDERS)} as recent`;
  if (!row || row.oldest === null || row.newest === null) return null;
  const whole = { begin: timeOfId(row.oldest), end: timeOfId(row.newest) + 1 };
  return { whole, usual: whole.end - timeOfId(row.recent ?? row.oldest) };
}

async function lookAt(tx: Transaction, filter: BrowseFilter, range: TimeRange, most: number): Promise<RangeResult<OrderRow>> {
  const rows = await tx<(OrderRow & { readonly candidates: number })[]>`
    with c as materialized (
      select ${columns(tx)} from orders o
      where ${place(tx, filter)} and o.order_id >= ${idAt(range.begin)} and o.order_id < ${idAt(range.end)} and ${hasMark(tx, filter)}
      limit ${MAX_CANDIDATES + 1})
    select n.candidates, o.* from (select count(*)::int as candidates from c) n
    left join lateral (select o.* from c o where ${isState(tx, filter)} order by o.order_id desc limit ${most}) o on true
    order by o.order_id desc`;
  return { candidates: rows[0]?.candidates ?? 0, rows: rows.filter((row) => row.order_id !== null) };
}

/** As long as an order's, so that it can stand where one would. */
function idAt(milliseconds: number): string {
  return orderIdAt(milliseconds).padEnd(ID_LENGTH, "0");
}
