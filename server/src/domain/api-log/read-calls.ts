import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../platform/core/clock.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";

export type CallRow = Pick<
  Row<"api_calls">,
  | "at"
  | "request_id"
  | "method"
  | "path"
  | "status"
  | "error"
  | "code"
  | "milliseconds"
  | "address"
  | "reference"
  | "order_id"
  | "credential_id"
  | "times"
  | "token_id"
> & {
  readonly signed: "none" | "secret" | "old_secret" | "token";
};

export type CallFilter = {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** 404, or 4 for all from 400 to 499. */
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly reference?: string | undefined;
  readonly code?: number | undefined;
  readonly requestId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
};

export type CallCursor = { readonly at: Date; readonly requestId: string };
export type CallPage = { readonly rows: readonly CallRow[]; readonly next: CallCursor | null };

const MAX_SCANNED = 50_000;

/**
 * Lists requests, newest first. Only the time has an index, so rare matches are searched in limited ranges: a page may have
 * fewer rows than requested, or none, and still have a next page.
 */
export async function listCalls(
  sql: Sql,
  accountId: string,
  filter: CallFilter,
  page: { readonly after: CallCursor | null; readonly limit: number; readonly mostLookedAt?: number },
): Promise<CallPage> {
  const { after, limit, mostLookedAt = MAX_SCANNED } = page;
  const window = sql`
    select ${columns(sql)} from api_calls c where account_id = ${accountId}
      ${filter.error === undefined ? sql`` : sql`and error is not null`}
      ${filter.since === undefined ? sql`` : sql`and at >= ${filter.since}`} ${filter.until === undefined ? sql`` : sql`and at < ${filter.until}`}
      ${after === null ? sql`` : sql`and (at, request_id) < (${after.at}, ${after.requestId})`}
    order by at desc, request_id desc limit ${mostLookedAt}`;
  const rows = await sql<CallRow[]>`
    select ${columns(sql)} from (${window}) c where ${fits(sql, filter)} order by at desc, request_id desc limit ${limit + 1}`;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length > limit && last) return { rows: shown, next: cursorOf(last) };
  const [end] = await sql<{ at: Date; request_id: string }[]>`
    select at, request_id from (${window}) c offset ${mostLookedAt - 1}`;
  return { rows: shown, next: end ? cursorOf(end) : null };
}

/** Requests since a time, oldest first. */
export async function callsSince(sql: Sql, accountId: string, filter: CallFilter, since: Date, limit: number): Promise<readonly CallRow[]> {
  const rows = await sql<CallRow[]>`
    select ${columns(sql)} from api_calls c where account_id = ${accountId} and at >= ${since} and ${fits(sql, filter)}
    order by at desc, request_id desc limit ${limit}`;
  return rows.toReversed();
}

export type CallDetail = CallRow & Pick<Row<"api_calls">, "request_body" | "reply_body">;

export async function readCall(sql: Sql, accountId: string, { at, requestId }: CallCursor): Promise<CallDetail | null> {
  const [row] = await sql<CallDetail[]>`
    select ${columns(sql)}, c.request_body, c.reply_body from api_calls c where account_id = ${accountId} and at = ${at} and request_id = ${requestId}`;
  return row ?? null;
}

export type CallGroup = {
  readonly error: string;
  readonly path: string;
  readonly count: bigint;
  readonly last_at: Date;
  readonly last_request_id: string;
};

/** Refusals by kind and path, the most frequent first. */
export async function groupErrors(sql: Sql, accountId: string, since: Date): Promise<readonly CallGroup[]> {
  return await sql<CallGroup[]>`
    select error, path, sum(times)::bigint as count, max(at) as last_at, (array_agg(request_id order by at desc, request_id desc))[1] as last_request_id
    from api_calls where account_id = ${accountId} and at >= ${since} and error is not null
    group by error, path order by count desc, last_at desc limit 100`;
}

export function columns(sql: Queryable) {
  return sql`c.at, c.request_id, c.method, c.path, c.status, c.error, c.code, c.milliseconds, c.address, c.reference, c.order_id, c.signed,
    c.credential_id, c.times, c.token_id`;
}

export function fits(sql: Queryable, { method, path, status, error, reference, code, requestId }: CallFilter) {
  const [from, to] = status === undefined ? [0, 0] : status < 10 ? [status * 100, status * 100 + 99] : [status, status];
  return sql`true
    ${method === undefined ? sql`` : sql`and c.method = ${method}`} ${path === undefined ? sql`` : sql`and c.path = ${path}`}
    ${status === undefined ? sql`` : sql`and c.status between ${from} and ${to}`} ${error === undefined ? sql`` : sql`and c.error = ${error}`}
    ${reference === undefined ? sql`` : sql`and c.reference = ${reference}`} ${code === undefined ? sql`` : sql`and c.code = ${code}`}
    ${requestId === undefined ? sql`` : sql`and c.request_id = ${requestId}`}`;
}

function cursorOf(row: { readonly at: Date; readonly request_id: string }): CallCursor {
  return { at: row.at, requestId: row.request_id };
}

type TailOptions = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly everyMilliseconds?: number;
};

const EVERY_MILLISECONDS = 1_000;
// An entry has the time of its request but is written after its reply, and processes write at different times.
const OVERLAP_MILLISECONDS = 60_000;
const MAX_AT_ONCE = 500;
// The viewer's access is checked again when the browser reconnects.
const LASTS_MILLISECONDS = 2 * 60_000;

/** Yields an account's requests from all processes as they arrive, each once, until the viewer leaves or the time is up. */
export async function* tailCalls(options: TailOptions, accountId: string, filter: CallFilter, left: AbortSignal): AsyncGenerator<CallRow> {
  const { sql, clock, everyMilliseconds = EVERY_MILLISECONDS } = options;
  let startedAt = clock.now();
  const ends = performance.now() + LASTS_MILLISECONDS;
  let seen = new Map<string, number>();
  while (!left.aborted && performance.now() < ends) {
    // After the clock was set back, new entries are older than the start.
    startedAt = Math.min(startedAt, clock.now());
    const from = Math.max(startedAt, clock.now() - OVERLAP_MILLISECONDS);
    const rows = await callsSince(sql, accountId, filter, new Date(from), MAX_AT_ONCE);
    for (const row of rows) {
      if (left.aborted) return;
      if (seen.has(row.request_id)) continue;
      seen.set(row.request_id, row.at.getTime());
      yield row;
    }
    seen = new Map([...seen].filter(([, at]) => at >= from));
    await wait(everyMilliseconds, undefined, { signal: left }).catch(() => {});
  }
}
