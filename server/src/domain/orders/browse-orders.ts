import type { Fragment } from "postgres";
import { orderIdAt } from "../../platform/core/ids.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type BrowseFilter, hasMark, idRange, isDoubt, isState, place } from "./browse-filter.ts";
import { lookForOrders } from "./look-for-orders.ts";
import type { Order } from "./order.ts";
import { columns, type OrderRow, toOrder } from "./store.ts";

export type Browsed = {
  /** Newest first; at most `limit`. */
  readonly orders: readonly Order[];
  /** Where to go on from; null when there is nothing older. A short page with one was cut off to answer in time. */
  readonly next: string | null;
};

// How many that were taken back are looked at in one statement, and for how long further ones follow.
const STRETCH_ROWS = 500;
const PATIENCE_MILLISECONDS = 60;
// Between an order's id and what its process says of its oldest one, and then some.
const RECENT_MILLISECONDS = 120_000;

/**
 * An account's orders or everybody's, newest first. States have no index, so that settling stays cheap: the few that are
 * pending are found by who watches them, those taken back by their transfers; anything else is looked for while there is patience.
 */
export async function browseOrders(sql: Sql, filter: BrowseFilter, now: number): Promise<Browsed> {
  if (filter.doubt !== null) return whole(filter, await inDoubt(sql, filter));
  if (filter.search === null && filter.status === "pending") return whole(filter, await pending(sql, filter, now));
  if (filter.search === null && filter.status === "Reversed") return await takenBack(sql, filter);
  if (isNarrow(filter)) return await lookedFor(sql, filter);
  return whole(
    filter,
    await sql<OrderRow[]>`
      select ${columns(sql)} from orders o where ${place(sql, filter)} order by o.order_id desc limit ${filter.limit + 1}`,
  );
}

function isNarrow({ search, service, operator, provider, status }: BrowseFilter): boolean {
  return [search, service, operator, provider, status].some((narrowing) => narrowing !== null);
}

function whole(filter: BrowseFilter, rows: readonly OrderRow[]): Browsed {
  const orders = rows.slice(0, filter.limit).map(toOrder);
  return { orders, next: rows.length > filter.limit ? (orders.at(-1)?.orderId ?? null) : null };
}

async function lookedFor(sql: Sql, filter: BrowseFilter): Promise<Browsed> {
  const { rows, reached } = await lookForOrders(sql, filter, filter.limit + 1);
  return rows.length > filter.limit ? whole(filter, rows) : { orders: rows.map(toOrder), next: reached };
}

async function takenBack(sql: Sql, filter: BrowseFilter): Promise<Browsed> {
  const orders: Order[] = [];
  const started = performance.now();
  for (let from = filter; ; ) {
    const rows = await sql<OrderRow[]>`
      select o.* from (${idsTakenBack(sql, from)} limit ${STRETCH_ROWS}) i ${orderOf(sql, from, sql`i`)}
      order by o.order_id desc limit ${filter.limit + 1 - orders.length}`;
    orders.push(...rows.map(toOrder));
    if (orders.length > filter.limit) return { orders: orders.slice(0, filter.limit), next: orders.at(-2)?.orderId ?? null };
    const [last] = await sql<{ order_id: string }[]>`${idsTakenBack(sql, from)} offset ${STRETCH_ROWS - 1} limit 1`;
    if (!last || performance.now() - started > PATIENCE_MILLISECONDS) return { orders, next: last?.order_id ?? null };
    from = { ...filter, before: last.order_id };
  }
}

/** Said as the indexes say it, so that they are seen to hold all that is asked for. */
function idsTakenBack(sql: Sql, filter: BrowseFilter): Fragment {
  const [firstId, endId] = idRange(filter);
  const { accountId } = filter;
  return sql`
    select distinct t.order_id, t.account_id from transfers t
    where t.kind in ('reversal', 'fee_return', 'refund', 'credit_back') and t.order_id is not null
      and t.order_id >= ${firstId} and t.order_id < ${endId}
      ${accountId === null ? sql`` : sql`and t.account_id = ${accountId} and t.kind not in ('hold', 'capture', 'fee')`}
    order by t.order_id desc`;
}

/** What is older than the oldest that any process has under way, and still pending, is watched. */
async function pending(sql: Sql, filter: BrowseFilter, now: number): Promise<readonly OrderRow[]> {
  const [row] = await sql<{ oldest: Date | null }[]>`select min(oldest_open_at) as oldest from processes`;
  const recentId = orderIdAt(Math.max(0, Math.min(row?.oldest?.getTime() ?? now, now) - RECENT_MILLISECONDS));
  const most = filter.limit + 1;
  return await sql<OrderRow[]>`
    (select ${columns(sql)} from orders o
      where ${place(sql, filter)} and o.order_id >= ${recentId} and ${hasMark(sql, filter)} and ${isState(sql, filter)}
      order by o.order_id desc limit ${most})
    union all
    (select o.* from (${watchedIds(sql, filter)} and w.order_id < ${recentId} order by w.order_id desc) w
      ${orderOf(sql, filter, sql`w`)} order by w.order_id desc limit ${most})
    order by order_id desc limit ${most}`;
}

async function inDoubt(sql: Sql, filter: BrowseFilter): Promise<readonly OrderRow[]> {
  const doubt = isDoubt(sql, filter.doubt ?? "any");
  return await sql<OrderRow[]>`
    select o.* from (${watchedIds(sql, filter)} and ${doubt} order by w.order_id desc) w
    ${orderOf(sql, { ...filter, status: "pending" }, sql`w`)} order by w.order_id desc limit ${filter.limit + 1}`;
}

function watchedIds(sql: Sql, filter: BrowseFilter): Fragment {
  const [firstId, endId] = idRange(filter);
  return sql`
    select w.account_id, w.order_id from order_watch w where w.order_id >= ${firstId} and w.order_id < ${endId}
      ${filter.accountId === null ? sql`` : sql`and w.account_id = ${filter.accountId}`}`;
}

/** The order of each id, where it is one that is asked for; looked up one by one, however many orders there are. */
function orderOf(sql: Sql, filter: BrowseFilter, ids: Fragment): Fragment {
  return sql`
    cross join lateral (
      select ${columns(sql)} from orders o
      where o.account_id = ${ids}.account_id and o.order_id = ${ids}.order_id and ${place(sql, filter)} and ${hasMark(sql, filter)}
        and ${isState(sql, filter)} offset 0) o`;
}

/** Which of these orders, of one account or of several, had succeeded before they failed. */
export async function findReversed(sql: Sql, accountId: string | null, orders: readonly Order[]): Promise<ReadonlySet<string>> {
  const failed = orders.filter((order) => order.state === "FAILED");
  // An order that costs nothing has no transfers; only a success gave it a reference.
  const free = failed.filter((order) => order.amount + order.fee === 0n && order.operatorRef !== null);
  if (failed.length === 0) return new Set();
  const rows = await sql<{ order_id: string }[]>`
    select distinct t.order_id from transfers t
    join unnest(${failed.map((one) => accountId ?? one.accountId)}::text[], ${failed.map((one) => one.orderId)}::text[]) as f (account_id, order_id)
      on t.account_id = f.account_id and t.order_id = f.order_id
    where t.kind in ('capture', 'fee', 'credit')`;
  return new Set([...rows.map((row) => row.order_id), ...free.map((order) => order.orderId)]);
}
