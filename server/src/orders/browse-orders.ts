import type { Fragment } from "postgres";
import type { Queryable, Sql } from "../db/connection.ts";
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

// How many are looked at in one statement, and for how long further ones follow.
const STRETCH_ROWS = 10_000;
const PATIENCE_MILLISECONDS = 60;
// So few orders of a service are rather sorted than looked for among all.
const FEW = 2_000;
const STRETCH_TAKEN_BACK = 500;
// Between an order's id and what its process says of its oldest one, and then some.
const RECENT_MILLISECONDS = 120_000;

/**
 * An account's orders, newest first. States have no index, so that settling stays cheap: the few that are pending are
 * found by who watches them, those taken back by their transfers; anything else is looked for as long as there is patience.
 */
export async function browseOrders(sql: Sql, filter: BrowseFilter, now: number): Promise<Browsed> {
  if (filter.search !== null) return whole(filter, await searched(sql, filter, filter.search));
  if (filter.status === "pending") return whole(filter, await pending(sql, filter, now));
  if (filter.service !== null && (await isSeldom(sql, filter.accountId, filter.service)))
    return whole(filter, await ofService(sql, filter));
  return await looked(sql, filter, sourceOf(filter));
}

function whole(filter: BrowseFilter, rows: readonly OrderRow[]): Browsed {
  const orders = rows.slice(0, filter.limit).map(toOrder);
  return { orders, next: rows.length > filter.limit ? (orders.at(-1)?.orderId ?? null) : null };
}

/** Ids among which to look, newest first, a stretch at a time. */
type Source = { readonly ids: (sql: Sql, filter: BrowseFilter) => Fragment; readonly stretch: number };

function sourceOf(filter: BrowseFilter): Source {
  if (filter.status === "Reversed") return { ids: takenBack, stretch: STRETCH_TAKEN_BACK };
  const isAny = filter.service === null && filter.operator === null && filter.status === null;
  return { ids: all, stretch: isAny ? filter.limit + 1 : STRETCH_ROWS };
}

function all(sql: Sql, filter: BrowseFilter): Fragment {
  return sql`select o.order_id from orders o where ${place(sql, filter)} order by o.order_id desc`;
}

function takenBack(sql: Sql, filter: BrowseFilter): Fragment {
  const [firstId, endId] = range(filter);
  return sql`
    select distinct o.order_id from transfers o where o.account_id = ${filter.accountId} and o.kind not in ('hold', 'capture', 'fee')
      and o.kind in ('reversal', 'fee_return', 'refund', 'credit_back') and o.order_id >= ${firstId} and o.order_id < ${endId}
    order by o.order_id desc`;
}

async function looked(sql: Sql, filter: BrowseFilter, source: Source): Promise<Browsed> {
  const orders: Order[] = [];
  const started = performance.now();
  for (let from = filter; ; ) {
    const rows = await sql<OrderRow[]>`
      select ${columns(sql)} from (${source.ids(sql, from)} limit ${source.stretch}) i
      join orders o on o.account_id = ${filter.accountId} and o.order_id = i.order_id
      where ${place(sql, from)} and ${fits(sql, filter)} order by o.order_id desc limit ${filter.limit + 1 - orders.length}`;
    orders.push(...rows.map(toOrder));
    if (orders.length > filter.limit) return { orders: orders.slice(0, filter.limit), next: orders.at(-2)?.orderId ?? null };
    const [last] = await sql<{ order_id: string }[]>`${source.ids(sql, from)} offset ${source.stretch - 1} limit 1`;
    if (!last || performance.now() - started > PATIENCE_MILLISECONDS) return { orders, next: last?.order_id ?? null };
    from = { ...filter, before: last.order_id };
  }
}

async function isSeldom(sql: Sql, accountId: string, service: string): Promise<boolean> {
  // In the order of references, whose index then tells.
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from orders where account_id = ${accountId} and service = ${service}
      order by account_id, service, reference offset ${FEW} limit 1) as found`;
  return row?.found === false;
}

async function ofService(sql: Sql, filter: BrowseFilter): Promise<readonly OrderRow[]> {
  return await sql<OrderRow[]>`
    select ${columns(sql)} from (
      select o.* from orders o where o.account_id = ${filter.accountId} and o.service = ${filter.service}
      order by o.account_id, o.service, o.reference limit ${FEW}) o
    where ${place(sql, filter)} and ${fits(sql, filter)} and ${filter.status === "Reversed" ? wasTakenBack(sql) : sql`true`}
    order by o.order_id desc limit ${filter.limit + 1}`;
}

function wasTakenBack(sql: Queryable): Fragment {
  return sql`exists (select from transfers t where t.account_id = o.account_id and t.order_id = o.order_id and t.kind in ('capture', 'fee', 'credit'))`;
}

async function searched(sql: Sql, filter: BrowseFilter, text: string): Promise<readonly OrderRow[]> {
  const { accountId, limit } = filter;
  return await sql.begin("read only", async (tx) => {
    // How many orders an account has, and how many of them one number, differs too much for one plan for all.
    await tx`set local plan_cache_mode = force_custom_plan`;
    return await tx<OrderRow[]>`
      with found as (
        select order_id from orders where account_id = ${accountId} and order_id = ${text}
        union
        select o.order_id from services s cross join lateral (
          select order_id from orders where account_id = ${accountId} and service = s.service and reference = ${text} offset 0) o
        union
        select o.order_id from (select order_id from orders where account_id = ${accountId} and target = ${text} offset 0) o
      )
      select ${columns(tx)} from (select order_id from found order by order_id desc offset 0) f
      join orders o on o.account_id = ${accountId} and o.order_id = f.order_id
      where ${place(tx, filter)} and ${fits(tx, filter)} and ${filter.status === "Reversed" ? wasTakenBack(tx) : tx`true`}
      order by o.order_id desc limit ${limit + 1}`;
  });
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

function range(filter: BrowseFilter): readonly [firstId: string, endId: string] {
  const [firstId, endId] = idsOf(filter.fromMilliseconds, filter.toMilliseconds);
  return [firstId, filter.before !== null && filter.before < endId ? filter.before : endId];
}

function place(sql: Queryable, filter: BrowseFilter): Fragment {
  const [firstId, endId] = range(filter);
  return sql`o.account_id = ${filter.accountId} and o.order_id >= ${firstId} and o.order_id < ${endId}
    and o.created_at >= ${new Date(filter.fromMilliseconds)} and o.created_at < ${new Date(filter.toMilliseconds)}`;
}

function fits(sql: Queryable, { status, service, operator }: BrowseFilter): Fragment {
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
