import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { AccountMode } from "../accounts/account-mode.ts";
import { type CallCursor, type CallFilter, type CallRow, columns, fits } from "./read-calls.ts";

export type CallOfAccount = CallRow & { readonly account_id: string };
export type AllCallsFilter = CallFilter & { readonly accountId?: string | undefined; readonly mode?: AccountMode | null };
export type AllCallsPage = { readonly rows: readonly CallOfAccount[]; readonly next: CallCursor | null };

type PageQuery = { readonly after: CallCursor | null; readonly limit: number };

const FIRST_WINDOW_MILLISECONDS = 60_000;
/** Only a window that was read faster than this is followed by a longer one. */
const QUICK_MILLISECONDS = 100;
// Entries have the time of the process that answered, whose clock may be ahead.
const AHEAD_MILLISECONDS = 60_000;
const LONGEST_KEPT_MILLISECONDS = 400 * 24 * 3_600_000;
/** After this time a page ends, whatever it has found. */
const PATIENCE_MILLISECONDS = 1_500;
// Comes before every request id, so that everything of this millisecond has been seen.
const BEFORE_EVERY_ID = "0";

/**
 * Requests of all accounts, newest first. Windows of time are read one after the other, each longer than the one before while that is quick. Rare
 * matches take several pages: a page may have fewer rows than requested, or none, and still have a next page.
 */
export async function listAllCalls(
  ctx: { readonly sql: Sql; readonly clock: Clock },
  filter: AllCallsFilter,
  { after, limit }: PageQuery,
): Promise<AllCallsPage> {
  const now = ctx.clock.now();
  const ends = performance.now() + PATIENCE_MILLISECONDS;
  const oldest = filter.since?.getTime() ?? now - LONGEST_KEPT_MILLISECONDS;
  const rows: CallOfAccount[] = [];
  let cursor = after ?? { at: filter.until ?? new Date(now + AHEAD_MILLISECONDS), requestId: BEFORE_EVERY_ID };
  let window = FIRST_WINDOW_MILLISECONDS;
  while (cursor.at.getTime() > oldest) {
    const started = performance.now();
    const from = new Date(Math.max(oldest, cursor.at.getTime() - window));
    rows.push(...(await readWindow(ctx.sql, filter, { from, before: cursor, limit: limit + 1 - rows.length })));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: cursorOf(rows[limit - 1]) };
    cursor = { at: from, requestId: BEFORE_EVERY_ID };
    if (performance.now() > ends) return { rows, next: cursor };
    if (performance.now() - started < QUICK_MILLISECONDS) window *= 2;
  }
  return { rows, next: null };
}

type Window = { readonly from: Date; readonly before: CallCursor; readonly limit: number };

async function readWindow(sql: Sql, filter: AllCallsFilter, { from, before, limit }: Window): Promise<readonly CallOfAccount[]> {
  const { accountId, mode = null } = filter;
  return await sql<CallOfAccount[]>`
    select c.account_id, ${columns(sql)} from api_calls c
    where c.at >= ${from} and c.at <= ${before.at} and (c.at, c.request_id) < (${before.at}, ${before.requestId})
      ${accountId === undefined ? sql`` : sql`and c.account_id = ${accountId}`}
      ${mode === null ? sql`` : sql`and c.account_id in (select account_id from accounts where sandbox = ${mode === "test"})`}
      and ${fits(sql, filter)}
    order by c.at desc, c.request_id desc limit ${limit}`;
}

function cursorOf(row: CallOfAccount | undefined): CallCursor | null {
  return row ? { at: row.at, requestId: row.request_id } : null;
}
