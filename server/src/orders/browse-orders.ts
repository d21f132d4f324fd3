import type { Fragment } from "postgres";
import type { Sql } from "../db/connection.ts";
import { orderIdAt } from "../kernel/ids.ts";
import { type Order, type OrderState, stateNumber } from "./order.ts";
import { columns, idsOf, type OrderRow, toOrder } from "./store.ts";

export type BrowseFilter = {
  readonly accountId: string;
  readonly fromMilliseconds: number;
  /** Exclusive. */
  readonly toMilliseconds: number;
  readonly service: string | null;
  readonly operator: string | null;
  /** `Reversed` is FAILED after SUCCESS; FAILED has both kinds. */
  readonly status: OrderState | "Reversed" | null;
  /** An order's id, its client's reference, or its target, each whole. */
  readonly search: string | null;
  /** Orders before this id only. */
  readonly before: string | null;
  readonly limit: number;
};

export type Browsed = {
  /** Newest first; at most `limit`. */
  readonly orders: readonly Order[];
  /** Where to go on from; null when there is nothing older. A short page with one was cut off to answer in time. */
  readonly next: string | null;
};

const STRETCH_ROWS = 20_000;
const PATIENCE_MILLISECONDS = 80;
// Between an order's id and what its process says of its oldest one, and then some.
const RECENT_MILLISECONDS = 120_000;

/**
 * An account's orders, newest first. States have no index, so that settling stays cheap: the few that are pending are
 * found by who watches them, those taken back by their transfers; anything else is looked for as long as there is patience.
 */
export async function browseOrders(sql: Sql, filter: BrowseFilter, now: number): Promise<Browsed> {
  if (filter.search !== null) return whole(filter, await searched(sql, filter, filter.search));
  if (filter.status === "pending") return whole(filter, await pending(sql, filter, now));
  if (filter.status === "Reversed") return whole(filter, await takenBack(sql, filter));
  return await scanned(sql, filter);
}

function whole(filter: BrowseFilter, rows: readonly OrderRow[]): Browsed {
  const orders = rows.slice(0, filter.limit).map(toOrder);
  return { orders, next: rows.length > filter.limit ? (orders.at(-1)?.orderId ?? null) : null };
}

async function scanned(sql: Sql, filter: BrowseFilter): Promise<Browsed> {
  const orders: Order[] = [];
  const started = performance.now();
  const unfiltered = filter.service === null && filter.operator === null && filter.status === null;
  const stretch = unfiltered ? filter.limit + 1 : STRETCH_ROWS;
  let before = filter.before;
  for (;;) {
    const wanted = filter.limit + 1 - orders.length;
    const rows = await sql<OrderRow[]>`
      select ${columns(sql)} from (
        select o.* from orders o where ${place(sql, { ...filter, before })} order by o.order_id desc limit ${stretch}) o
      where ${fits(sql, filter)} order by o.order_id desc limit ${wanted}`;
    orders.push(...rows.map(toOrder));
    if (orders.length > filter.limit) return { orders: orders.slice(0, filter.limit), next: orders.at(-2)?.orderId ?? null };
    const last = await endOfStretch(sql, { ...filter, before }, stretch);
    if (last === null || performance.now() - started > PATIENCE_MILLISECONDS) return { orders, next: last };
    before = last;
  }
}

/** The id of the last order of a full stretch; null when the stretch is the last one. */
async function endOfStretch(sql: Sql, filter: BrowseFilter, stretch: number): Promise<string | null> {
  const [row] = await sql<{ order_id: string }[]>`
    select o.order_id from orders o where ${place(sql, filter)} order by o.order_id desc offset ${stretch - 1} limit 1`;
  return row?.order_id ?? null;
}

async function searched(sql: Sql, filter: BrowseFilter, text: string): Promise<readonly OrderRow[]> {
  const { accountId, limit } = filter;
  return await sql<OrderRow[]>`
    with found as (
      select order_id from orders where account_id = ${accountId} and order_id = ${text}
      union
      select order_id from orders
      where account_id = ${accountId} and service = any(array(select service from services)) and reference = ${text}
      union
      -- Not in the primary key's order, along which every order of the account would be looked at.
      (select o.order_id from orders o where ${place(sql, filter)} and o.target = ${text} and ${fits(sql, filter)}
        order by o.order_id || '' desc limit ${limit + 1})
    )
    select ${columns(sql)} from found f join orders o on o.account_id = ${accountId} and o.order_id = f.order_id
    where ${place(sql, filter)} and ${fits(sql, filter)} order by o.order_id desc limit ${limit + 1}`;
}

async function pending(sql: Sql, filter: BrowseFilter, now: number): Promise<readonly OrderRow[]> {
  const [row] = await sql<{ oldest: Date | null }[]>`select min(oldest_open_at) as oldest from processes`;
  // What is older than the oldest that any process has under way, and still pending, is watched.
  const recentId = orderIdAt(Math.max(0, Math.min(row?.oldest?.getTime() ?? now, now) - RECENT_MILLISECONDS));
  const { accountId, limit } = filter;
  return await sql<OrderRow[]>`
    (select ${columns(sql)} from orders o where ${place(sql, filter)} and ${fits(sql, filter)} and o.order_id >= ${recentId}
      order by o.order_id desc limit ${limit + 1})
    union all
    (select ${columns(sql)} from order_watch w join orders o on o.account_id = w.account_id and o.order_id = w.order_id
      where w.account_id = ${accountId} and w.order_id < ${recentId} and ${place(sql, filter)} and ${fits(sql, filter)}
      order by w.order_id desc limit ${limit + 1})
    order by order_id desc limit ${limit + 1}`;
}

async function takenBack(sql: Sql, filter: BrowseFilter): Promise<readonly OrderRow[]> {
  const { accountId, limit } = filter;
  return await sql<OrderRow[]>`
    select ${columns(sql)} from (
      select distinct t.order_id from transfers t
      where t.account_id = ${accountId} and t.kind in ('reversal', 'fee_return', 'refund', 'credit_back')) t
    join orders o on o.account_id = ${accountId} and o.order_id = t.order_id
    where ${place(sql, filter)} and ${fits(sql, filter)} order by o.order_id desc limit ${limit + 1}`;
}

function place(sql: Sql, filter: BrowseFilter): Fragment {
  const [firstId, endId] = idsOf(filter.fromMilliseconds, filter.toMilliseconds);
  return sql`o.account_id = ${filter.accountId} and o.order_id >= ${firstId}
    and o.order_id < ${filter.before !== null && filter.before < endId ? filter.before : endId}
    and o.created_at >= ${new Date(filter.fromMilliseconds)} and o.created_at < ${new Date(filter.toMilliseconds)}`;
}

function fits(sql: Sql, { status, service, operator }: BrowseFilter): Fragment {
  const state = status === null ? null : stateNumber(status === "Reversed" ? "FAILED" : status);
  return sql`true ${service === null ? sql`` : sql`and o.service = ${service}`}
    ${operator === null ? sql`` : sql`and o.operator = ${operator}`} ${state === null ? sql`` : sql`and o.state = ${state}`}`;
}

/** Which of these orders had succeeded before they failed. */
export async function findReversed(sql: Sql, accountId: string, orders: readonly Order[]): Promise<ReadonlySet<string>> {
  const failed = orders.filter((order) => order.state === "FAILED");
  // An order that costs nothing has no transfers; only a success gave it a reference.
  const free = failed.filter((order) => order.amount + order.fee === 0n && order.operatorRef !== null);
  if (failed.length === 0) return new Set();
  const rows = await sql<{ order_id: string }[]>`
    select distinct order_id from transfers where account_id = ${accountId} and order_id = any(${failed.map((one) => one.orderId)})
      and kind in ('capture', 'fee', 'credit')`;
  return new Set([...rows.map((row) => row.order_id), ...free.map((order) => order.orderId)]);
}
