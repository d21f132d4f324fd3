import { orderIdAt } from "../../platform/core/ids.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { CallbackKind, CallbackVersion } from "./facts.ts";

export const SHOWN_STATES = ["waiting", "delivered", "parked", "paused"] as const;
/** `parked` waits without a URL to go to; `paused` waits until its account's deliveries are resumed. */
export type ShownState = (typeof SHOWN_STATES)[number];

export type CallbackRow = {
  readonly callback_id: string;
  readonly account_id: string;
  readonly kind: CallbackKind;
  readonly order_id: string;
  readonly urid: string;
  readonly status: string;
  readonly complaint_ref: string | null;
  readonly version: CallbackVersion;
  readonly state: ShownState;
  readonly attempts: number;
  readonly in_flight: boolean;
  readonly next_at: Date;
  readonly last_http_status: number | null;
  readonly last_error: string | null;
  readonly created_at: Date;
  readonly delivered_at: Date | null;
};

export type CallbackAttemptRow = {
  readonly attempt: number;
  readonly at: Date;
  readonly url: string;
  readonly version: CallbackVersion;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
};

export type CallbackQuery = {
  readonly accountId: string | null;
  readonly state: ShownState | null;
  readonly kind?: CallbackKind | undefined;
  readonly orderId?: string | undefined;
  /** Callbacks with this id, or of one of these orders. */
  readonly named?: { readonly callbackId: string; readonly orderIds: readonly string[] } | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** The last one of the page before. */
  readonly before: string | null;
  readonly limit: number;
};

/** Newest first: an id begins with its time. Every account has its own index, so each gives its newest few. */
export async function listCallbacks(sql: Sql, query: CallbackQuery): Promise<readonly CallbackRow[]> {
  return await sql<CallbackRow[]>`
    select ${columns(sql)} from accounts a cross join lateral (
      select c.* from (${rowsOf(sql, query)}) c where true
        ${query.before === null ? sql`` : sql`and c.callback_id < ${query.before}`}
        ${query.state === null ? sql`` : sql`and ${shownState(sql)} = ${query.state}`}
        ${query.kind === undefined ? sql`` : sql`and c.kind = ${query.kind}`}
        ${query.orderId === undefined ? sql`` : sql`and c.order_id = ${query.orderId}`}
        ${query.since === undefined ? sql`` : sql`and c.callback_id >= ${orderIdAt(query.since)} and c.created_at >= ${new Date(query.since)}`}
      order by c.callback_id desc limit ${query.limit}) c
    ${query.accountId === null ? sql`` : sql`where a.account_id = ${query.accountId}`}
    order by c.callback_id desc, c.account_id limit ${query.limit}`;
}

// What is not delivered is little: it is looked for by itself, and not among all that the account was ever told.
function rowsOf(sql: Sql, { state, named }: CallbackQuery) {
  const rows = sql`select c.* from callbacks c where c.account_id = a.account_id`;
  if (named) {
    const ofOrders = sql`${rows} and c.order_id = any(${named.orderIds as string[]})`;
    return sql`${ofOrders} union select c.* from callbacks c where c.account_id = a.account_id and c.callback_id = ${named.callbackId}`;
  }
  return state === null || state === "delivered" ? rows : sql`${rows} and c.state = 'waiting' offset 0`;
}

export async function readCallback(sql: Queryable, callbackId: string, accountId?: string): Promise<CallbackRow | null> {
  const [row] = await sql<CallbackRow[]>`
    select ${columns(sql)} from accounts a join callbacks c on c.account_id = a.account_id and c.callback_id = ${callbackId}
    ${accountId === undefined ? sql`` : sql`where a.account_id = ${accountId}`}`;
  return row ?? null;
}

/** What an order's client was told, or is being told, as it happened. */
export async function readOrderCallbacks(sql: Sql, accountId: string, orderId: string): Promise<readonly CallbackRow[]> {
  return await sql<CallbackRow[]>`
    select ${columns(sql)} from accounts a join callbacks c on c.account_id = a.account_id
    where a.account_id = ${accountId} and c.order_id = ${orderId} order by c.callback_id`;
}

export async function readAttempts(sql: Sql, callback: CallbackRow): Promise<readonly CallbackAttemptRow[]> {
  return await sql<CallbackAttemptRow[]>`
    select attempt, at, url, version, http_status, error, milliseconds from callback_attempts
    where account_id = ${callback.account_id} and callback_id = ${callback.callback_id} order by attempt`;
}

function columns(sql: Queryable) {
  return sql`c.callback_id, c.account_id, c.kind, c.order_id, c.urid, c.status, c.complaint_ref,
    case c.state when 'delivered' then c.version else a.callback_version end as version, ${shownState(sql)} as state, c.attempts,
    exists (select 1 from callback_claims m where m.account_id = c.account_id and m.kind = c.kind and m.callback_id = c.callback_id)
      as in_flight, c.next_at, c.last_http_status, c.last_error, c.created_at, c.delivered_at`;
}

function shownState(sql: Queryable) {
  return sql`case when c.state = 'delivered' then 'delivered'
    when case c.kind when 'status' then a.callback_url else a.complaint_callback_url end is null then 'parked'
    when a.callbacks_paused then 'paused' else 'waiting' end`;
}
