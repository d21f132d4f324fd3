import { orderIdAt } from "../../../platform/core/ids.ts";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import type { AccountMode } from "../../accounts/account-mode.ts";
import type { CallbackKind, CallbackVersion } from "../facts.ts";

export const SHOWN_STATES = ["waiting", "delivered", "parked", "paused"] as const;
/** `parked` waits for a URL; `paused` waits until the account's deliveries are resumed. */
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

export type CallbackAttemptRow = Pick<
  Row<"callback_attempts">,
  "attempt" | "at" | "url" | "http_status" | "error" | "milliseconds" | "reply"
> & {
  readonly version: CallbackVersion;
};

export type CallbackQuery = {
  readonly accountId: string | null;
  /** Only callbacks of live accounts, or only of sandbox accounts. */
  readonly mode?: AccountMode | null;
  readonly state: ShownState | null;
  readonly kind?: CallbackKind | undefined;
  readonly orderId?: string | undefined;
  /** Callbacks with this id or of one of these orders. */
  readonly named?: { readonly callbackId: string; readonly orderIds: readonly string[] } | undefined;
  /** Milliseconds since 1970: created from then on, and before. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The last id of the previous page. */
  readonly before: string | null;
  readonly limit: number;
};

/** Lists callbacks, newest first. Each account's index yields its newest rows, because ids begin with their time. */
export async function listCallbacks(sql: Sql, query: CallbackQuery): Promise<readonly CallbackRow[]> {
  return await sql<CallbackRow[]>`
    select ${columns(sql)} from accounts a cross join lateral (
      select c.* from (${rowsOf(sql, query)}) c where true
        ${query.before === null ? sql`` : sql`and c.callback_id < ${query.before}`}
        ${query.state === null ? sql`` : sql`and ${shownState(sql)} = ${query.state}`}
        ${query.kind === undefined ? sql`` : sql`and c.kind = ${query.kind}`}
        ${query.orderId === undefined ? sql`` : sql`and c.order_id = ${query.orderId}`}
        ${query.since === undefined ? sql`` : sql`and c.callback_id >= ${orderIdAt(query.since)} and c.created_at >= ${new Date(query.since)}`}
        ${query.until === undefined ? sql`` : sql`and c.created_at < ${new Date(query.until)}`}
      order by c.callback_id desc limit ${query.limit}) c
    where ${(query.mode ?? null) === null ? sql`true` : sql`a.sandbox = ${query.mode === "test"}`}
      ${query.accountId === null ? sql`` : sql`and a.account_id = ${query.accountId}`}
    order by c.callback_id desc, c.account_id limit ${query.limit}`;
}

// Undelivered callbacks are few, so they are found by their own index and not among all of the account's callbacks.
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

/** The callbacks of an order in the order of their creation. */
export async function readOrderCallbacks(sql: Sql, accountId: string, orderId: string): Promise<readonly CallbackRow[]> {
  return await sql<CallbackRow[]>`
    select ${columns(sql)} from accounts a join callbacks c on c.account_id = a.account_id
    where a.account_id = ${accountId} and c.order_id = ${orderId} order by c.callback_id`;
}

export async function readAttempts(sql: Sql, callback: CallbackRow): Promise<readonly CallbackAttemptRow[]> {
  return await sql<CallbackAttemptRow[]>`
    select attempt, at, url, version, http_status, error, milliseconds, reply from callback_attempts
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
