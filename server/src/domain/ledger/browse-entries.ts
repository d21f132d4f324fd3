import type { Fragment } from "postgres";
import type { Sql, Transaction } from "../../platform/db/connection.ts";
import { listPartitions } from "../../platform/db/partitions/read-partitions.ts";
import {
  MAX_CANDIDATES,
  type RangeResult,
  SEARCH_MILLISECONDS,
  searchBackwards,
  type TimeRange,
} from "../../platform/db/search-backwards.ts";
import { type AccountMode, ofMode } from "../accounts/account-mode.ts";
import type { Bucket, MoveKind } from "./moves.ts";
import { transfersOfOrder } from "./order-transfers.ts";
import { sequenceRange } from "./statement.ts";

export type EntryRow = {
  readonly account_id: string;
  readonly seq: bigint;
  readonly kind: MoveKind;
  readonly from_bucket: Bucket;
  readonly to_bucket: Bucket;
  readonly amount: bigint;
  readonly available_after: bigint;
  readonly order_id: string | null;
  readonly reference: string | null;
  /** The note of a manual top-up or debit. */
  readonly narration: string;
  readonly at: Date;
};

/** The cursor: the last entry of the previous page, or only the time that the search has reached. */
export type EntryCursor = { readonly at: number; readonly accountId: string; readonly seq: bigint };

export type EntriesFilter = {
  readonly accountId: string | null;
  readonly orderId: string | null;
  readonly mode: AccountMode | null;
  readonly kind: MoveKind | null;
  readonly fromMilliseconds: number;
  /** Exclusive; at most a little after now. */
  readonly toMilliseconds: number;
  readonly after: EntryCursor | null;
  readonly limit: number;
};

export type EntryPage = {
  /** Newest first; at most `limit`. */
  readonly entries: readonly EntryRow[];
  /** The cursor of the next page; null at the end. A short page with a cursor was cut off to answer in time. */
  readonly next: EntryCursor | null;
};

/** Lists the transfers of an order, of an account or of all accounts. */
export async function browseEntries(sql: Sql, filter: EntriesFilter): Promise<EntryPage> {
  if (filter.orderId !== null) return page(filter, await ofOrder(sql, filter, filter.orderId));
  if (filter.accountId !== null) return page(filter, await ofAccount(sql, filter, filter.accountId));
  return await ofAll(sql, filter);
}

/** Finds one transfer. */
export async function findEntry(sql: Sql, accountId: string, seq: bigint): Promise<EntryRow | null> {
  const [row] = await sql<EntryRow[]>`select ${columns(sql)} from transfers t where t.account_id = ${accountId} and t.seq = ${seq}`;
  return row ?? null;
}

function columns(sql: Sql | Transaction): Fragment {
  return sql`t.account_id, t.seq, t.kind, t.from_bucket, t.to_bucket, t.amount, t.available_after, t.order_id, t.reference, t.narration, t.at`;
}

function page(filter: EntriesFilter, rows: readonly EntryRow[]): EntryPage {
  const entries = rows.slice(0, filter.limit);
  const last = entries.at(-1);
  return { entries, next: last !== undefined && rows.length > filter.limit ? cursorOf(last) : null };
}

function cursorOf(row: EntryRow): EntryCursor {
  return { at: row.at.getTime(), accountId: row.account_id, seq: row.seq };
}

function matches(sql: Sql | Transaction, { mode, kind, fromMilliseconds, toMilliseconds }: EntriesFilter): Fragment {
  return sql`t.at >= ${new Date(fromMilliseconds)} and t.at < ${new Date(toMilliseconds)} and ${ofMode(sql, "t.account_id", mode)} ${kind === null ? sql`` : sql`and t.kind = ${kind}`}`;
}

/** An order has only a few transfers, so they are read by the order's key. */
async function ofOrder(sql: Sql, filter: EntriesFilter, orderId: string): Promise<readonly EntryRow[]> {
  return await sql<EntryRow[]>`
    select ${columns(sql)} from orders o cross join lateral ${transfersOfOrder(sql, sql`o.account_id`, sql`o.order_id`)} t
    where o.order_id = ${orderId} ${filter.accountId === null ? sql`` : sql`and o.account_id = ${filter.accountId}`} and ${matches(sql, filter)}
      ${filter.after === null ? sql`` : sql`and t.seq < ${filter.after.seq}`}
    order by t.seq desc limit ${filter.limit + 1}`;
}

/** Searches by sequence number, which has no gaps. The predicate on rare kinds repeats that of their partial index. */
async function ofAccount(sql: Sql, filter: EntriesFilter, accountId: string): Promise<readonly EntryRow[]> {
  const [first, end] = await sequenceRange(sql, accountId, filter.fromMilliseconds, filter.toMilliseconds);
  const before = filter.after !== null && filter.after.seq < end ? filter.after.seq : end;
  const seldom = filter.kind !== null && !["hold", "capture", "fee"].includes(filter.kind);
  return await sql<EntryRow[]>`
    select ${columns(sql)} from transfers t
    where t.account_id = ${accountId} and t.seq >= ${first} and t.seq < ${before} and ${matches(sql, filter)}
      ${seldom ? sql`and t.kind not in ('hold', 'capture', 'fee')` : sql``}
    order by t.seq desc limit ${filter.limit + 1}`;
}

// A range of so many milliseconds is looked at first.
const USUAL_MILLISECONDS = 10_000;

/** Searches back in time from the newest, because transfers of all accounts are ordered only by time. */
async function ofAll(sql: Sql, filter: EntriesFilter): Promise<EntryPage> {
  const bounds = await boundsOf(sql, filter);
  if (bounds === null) return { entries: [], next: null };
  return await sql.begin("read only", async (tx) => {
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true)`;
    const look = (range: TimeRange, most: number) => lookAt(tx, filter, range, most);
    const deadline = performance.now() + SEARCH_MILLISECONDS;
    const { rows, reached } = await searchBackwards({ ...bounds, seldom: false, enough: filter.limit + 1, deadline, look });
    const shown = page(filter, rows);
    return shown.next !== null || reached === null ? shown : { ...shown, next: { at: reached, accountId: "", seq: 0n } };
  });
}

type Bounds = { readonly whole: TimeRange; readonly usual: number };

/** A range within the filter that begins with the first transfer, or with its month if there are many. Few are read at once. */
async function boundsOf(sql: Sql, filter: EntriesFilter): Promise<Bounds | null> {
  const [few] = await sql<{ count: number; first: Date | null }[]>`
    select count(*)::int as count, min(at) as first from (select at from transfers limit ${MAX_CANDIDATES}) t`;
  if (!few || few.first === null) return null;
  const isAll = few.count < MAX_CANDIDATES;
  const begin = Math.max(filter.fromMilliseconds, isAll ? few.first.getTime() : await beginOfMonths(sql));
  const end = filter.after === null ? filter.toMilliseconds : Math.min(filter.toMilliseconds, filter.after.at + 1);
  return begin < end ? { whole: { begin, end }, usual: isAll ? end - begin : USUAL_MILLISECONDS } : null;
}

async function beginOfMonths(sql: Sql): Promise<number> {
  // Usually empty: it has rows only if a month's partition was missing.
  const [misplaced] = await sql<{ first: Date | null }[]>`select min(at) as first from transfers_default`;
  const months = [...(await listPartitions(sql)).values()].filter(({ of }) => of.table === "transfers");
  return Math.min(...months.map(({ span }) => span.fromMilliseconds), misplaced?.first?.getTime() ?? Number.POSITIVE_INFINITY);
}

async function lookAt(tx: Transaction, filter: EntriesFilter, range: TimeRange, most: number): Promise<RangeResult<EntryRow>> {
  const { after } = filter;
  const rows = await tx<(EntryRow & { readonly candidates: number })[]>`
    with c as materialized (
      select ${columns(tx)} from transfers t
      where t.at >= ${new Date(range.begin)} and t.at < ${new Date(range.end)} and ${matches(tx, filter)}
        ${after === null ? tx`` : tx`and (t.at, t.account_id, t.seq) < (${new Date(after.at)}, ${after.accountId}, ${after.seq})`}
      limit ${MAX_CANDIDATES + 1})
    select n.candidates, t.* from (select count(*)::int as candidates from c) n
    left join lateral (select * from c order by c.at desc, c.account_id desc, c.seq desc limit ${most}) t on true
    order by t.at desc, t.account_id desc, t.seq desc`;
  return { candidates: rows[0]?.candidates ?? 0, rows: rows.filter((row) => row.seq !== null) };
}
