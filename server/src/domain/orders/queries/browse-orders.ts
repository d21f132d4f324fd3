import type { Fragment } from "postgres";
import { orderIdAt } from "../../../platform/core/ids.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { NOBODY } from "../../work/assignee-filter.ts";
import type { Order } from "../order.ts";
import { columns, type OrderRow, toOrder } from "../store.ts";
import {
  type BrowseFilter,
  idRange,
  matchesAttributes,
  matchesDoubt,
  matchesPoll,
  matchesRange,
  matchesStatus,
  statusInDoubt,
} from "./browse-filter.ts";
import { searchWholeThenParts } from "./search-orders.ts";

export type OrderPage = {
  /** Newest first; at most `limit`. */
  readonly orders: readonly Order[];
  /** The cursor of the next page; null at the end. A short page with a cursor was cut off to answer in time. */
  readonly next: string | null;
};

// Reversed orders read by one statement, and the time after which no further statement follows.
const BATCH_ROWS = 500;
const TIME_LIMIT_MILLISECONDS = 60;
// Upper bound of the delay between an order's id and its process's report of the oldest order in progress.
const RECENT_MILLISECONDS = 120_000;

/**
 * Lists orders of one account or of all, newest first. States have no index, so that settling stays cheap: pending orders are
 * found by their polls, reversed ones by their transfers, and all others by a search of bounded duration.
 */
export async function browseOrders(sql: Sql, filter: BrowseFilter, now: number): Promise<OrderPage> {
  if (filter.assignedTo !== null && filter.assignedTo !== NOBODY)
    return toPage(filter, await listAssigned(sql, { ...filter, searchesParts: true }, filter.assignedTo));
  if (filter.doubt !== null) return toPage(filter, await listInDoubt(sql, { ...filter, searchesParts: true }));
  if (filter.search === null && filter.status === "pending") return toPage(filter, await pending(sql, filter, now));
  if (filter.search === null && filter.status === "Reversed") return await listReversed(sql, filter);
  if (isNarrow(filter)) return await searchPage(sql, filter);
  return toPage(filter, await listNewest(sql, filter));
}

/** Sandbox orders are few among all, so the newest of each sandbox account are merged instead of filtering all orders. */
async function listNewest(sql: Sql, filter: BrowseFilter): Promise<readonly OrderRow[]> {
  const newest = sql`order by o.order_id desc limit ${filter.limit + 1}`;
  if (filter.mode !== "test" || filter.accountId !== null)
    return await sql<OrderRow[]>`select ${columns(sql)} from orders o where ${matchesRange(sql, filter)} ${newest}`;
  const ofAccount = sql`o.account_id = s.account_id and ${matchesRange(sql, { ...filter, mode: null })}`;
  return await sql<OrderRow[]>`
    select o.* from accounts s cross join lateral (
      select ${columns(sql)} from orders o where ${ofAccount} ${newest}) o
    where s.sandbox ${newest}`;
}

function isNarrow({ search, service, operator, provider, circle, reason, status }: BrowseFilter): boolean {
  return [search, service, operator, provider, circle, reason, status].some((narrowing) => narrowing !== null);
}

function toPage(filter: BrowseFilter, rows: readonly OrderRow[]): OrderPage {
  const orders = rows.slice(0, filter.limit).map(toOrder);
  return { orders, next: rows.length > filter.limit ? (orders.at(-1)?.orderId ?? null) : null };
}

async function searchPage(sql: Sql, filter: BrowseFilter): Promise<OrderPage> {
  const { rows, reached } = await searchWholeThenParts(sql, filter, filter.limit + 1);
  return rows.length > filter.limit ? toPage(filter, rows) : { orders: rows.map(toOrder), next: reached };
}

async function listReversed(sql: Sql, filter: BrowseFilter): Promise<OrderPage> {
  const orders: Order[] = [];
  const started = performance.now();
  for (let from = filter; ; ) {
    const rows = await sql<OrderRow[]>`
      select o.* from (${reversedIds(sql, from)} limit ${BATCH_ROWS}) i ${joinOrder(sql, from, sql`i`)}
      order by o.order_id desc limit ${filter.limit + 1 - orders.length}`;
    orders.push(...rows.map(toOrder));
    if (orders.length > filter.limit) return { orders: orders.slice(0, filter.limit), next: orders.at(-2)?.orderId ?? null };
    const [last] = await sql<{ order_id: string }[]>`${reversedIds(sql, from)} offset ${BATCH_ROWS - 1} limit 1`;
    if (!last || performance.now() - started > TIME_LIMIT_MILLISECONDS) return { orders, next: last?.order_id ?? null };
    from = { ...filter, before: last.order_id };
  }
}

/** Repeats the predicates of the partial indexes, so that the planner can use them. */
function reversedIds(sql: Sql, filter: BrowseFilter): Fragment {
  const [firstId, endId] = idRange(filter);
  const { accountId } = filter;
  return sql`
    select distinct t.order_id, t.account_id from transfers t
    where t.kind in ('reversal', 'fee_return', 'refund', 'credit_back') and t.order_id is not null
      and t.order_id >= ${firstId} and t.order_id < ${endId}
      ${accountId === null ? sql`` : sql`and t.account_id = ${accountId} and t.kind not in ('hold', 'capture', 'fee')`}
    order by t.order_id desc`;
}

/** Every pending order that is older than the oldest order in progress anywhere has a pending poll. */
async function pending(sql: Sql, filter: BrowseFilter, now: number): Promise<readonly OrderRow[]> {
  const [row] = await sql<{ oldest: Date | null }[]>`select min(oldest_open_at) as oldest from processes`;
  const recentId = orderIdAt(Math.max(0, Math.min(row?.oldest?.getTime() ?? now, now) - RECENT_MILLISECONDS));
  const most = filter.limit + 1;
  return await sql<OrderRow[]>`
    (select ${columns(sql)} from orders o
      where ${matchesRange(sql, filter)} and o.order_id >= ${recentId} and ${matchesAttributes(sql, filter)} and ${matchesStatus(sql, filter)}
      order by o.order_id desc limit ${most})
    union all
    (select o.* from (${polledIds(sql, filter)} and w.order_id < ${recentId} order by w.order_id desc) w
      ${joinOrder(sql, filter, sql`w`)} order by w.order_id desc limit ${most})
    order by order_id desc limit ${most}`;
}

async function listInDoubt(sql: Sql, filter: BrowseFilter): Promise<readonly OrderRow[]> {
  const doubt = matchesPoll(sql, filter.doubt ?? "any");
  return await sql<OrderRow[]>`
    select o.* from (${polledIds(sql, filter)} and ${doubt} order by w.order_id desc) w
    ${joinOrder(sql, { ...filter, status: statusInDoubt(filter.doubt) }, sql`w`)} order by w.order_id desc limit ${filter.limit + 1}`;
}

/** A person handles few orders, so they are looked up by key. */
async function listAssigned(sql: Sql, filter: BrowseFilter, assignedTo: string): Promise<readonly OrderRow[]> {
  const [firstId, endId] = idRange(filter);
  return await sql<OrderRow[]>`
    select o.* from (
      select i.account_id, i.item_id as order_id from work_items i
      where i.kind = 'order' and i.assigned_to = ${assignedTo} and i.item_id >= ${firstId} and i.item_id < ${endId}) w
    ${joinOrder(sql, filter, sql`w`)} where ${matchesDoubt(sql, filter)} order by o.order_id desc limit ${filter.limit + 1}`;
}

function polledIds(sql: Sql, filter: BrowseFilter): Fragment {
  const [firstId, endId] = idRange(filter);
  return sql`
    select w.account_id, w.order_id from pending_polls w where w.order_id >= ${firstId} and w.order_id < ${endId}
      ${filter.accountId === null ? sql`` : sql`and w.account_id = ${filter.accountId}`}`;
}

/** Joins each id to its order if the order matches. The lateral join keeps this a lookup by key, whatever the table's size. */
function joinOrder(sql: Sql, filter: BrowseFilter, ids: Fragment): Fragment {
  return sql`
    cross join lateral (
      select ${columns(sql)} from orders o
      where o.account_id = ${ids}.account_id and o.order_id = ${ids}.order_id and ${matchesRange(sql, filter)} and ${matchesAttributes(sql, filter)}
        and ${matchesStatus(sql, filter)} offset 0) o`;
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
