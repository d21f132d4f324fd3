import type { Fragment } from "postgres";
import type { Queryable } from "../../platform/db/connection.ts";
import { lastArchivedBalance, lastArchivedSequence } from "./closings.ts";

export type StatementQuery = {
  readonly accountId: string;
  readonly fromMilliseconds: number;
  readonly toMilliseconds: number;
  /** Whether the period is over, so that no transfer can be added to it. */
  readonly isPast: boolean;
  /** Only lines with a smaller transfer number. */
  readonly before: bigint | null;
  /** Only transfers of these kinds; all kinds when absent. */
  readonly kinds?: readonly string[];
  readonly limit: number;
};

export type StatementRow = {
  readonly seq: bigint;
  readonly kind: string;
  /** Signed: the change of the available balance. */
  readonly amount: bigint;
  readonly available_after: bigint;
  readonly order_id: string | null;
  readonly urid: string | null;
  readonly service: string | null;
  readonly operator: string | null;
  readonly target: string | null;
  /** The order's fee. */
  readonly fee: bigint | null;
  /** The note of a manual top-up or debit. */
  readonly narration: string;
  readonly at: Date;
};

// Transfers are numbered in commit order, which differs slightly from the order of their batches' times.
const CLOCK_MARGIN_MILLISECONDS = 60 * 60 * 1000;
const MAX_SEQUENCE = 2n ** 63n - 1n;

/** Lists every change of the available balance, newest first. */
export async function readStatement(sql: Queryable, query: StatementQuery): Promise<readonly StatementRow[]> {
  const { accountId, fromMilliseconds, toMilliseconds } = query;
  const [first, end] = await sequenceRange(sql, accountId, fromMilliseconds, query.isPast ? toMilliseconds : null);
  const before = query.before !== null && query.before < end ? query.before : end;
  const matches = sql`t.account_id = ${accountId} and t.seq >= ${first} and t.seq < ${before}
    and t.at >= ${new Date(fromMilliseconds)} and t.at < ${new Date(toMilliseconds)}
    and (t.from_bucket = 'available' or t.to_bucket = 'available')`;
  const latest = sql`order by t.seq desc limit ${query.limit}`;
  return await sql<StatementRow[]>`
    select t.seq, t.kind, case when t.to_bucket = 'available' then t.amount else -t.amount end as amount, t.available_after,
      t.order_id, o.reference as urid, o.service, o.operator, o.target, o.fee, t.narration, t.at
    from (${query.kinds === undefined ? sql`select t.* from transfers t where ${matches} ${latest}` : latestOfKinds(sql, query.kinds, matches, latest)}) t
    left join orders o on o.account_id = t.account_id and o.order_id = t.order_id
    order by t.seq desc limit ${query.limit}`;
}

/** Reads the latest transfers of each kind. The predicate on rare kinds repeats that of their partial index. */
function latestOfKinds(sql: Queryable, kinds: readonly string[], matches: Fragment, latest: Fragment): Fragment {
  const seldom = !kinds.some((kind) => kind === "hold" || kind === "capture" || kind === "fee");
  return sql`
    select t.* from unnest(${kinds as string[]}::text[]) k (kind) cross join lateral (
      select t.* from transfers t where ${matches} and t.kind = k.kind ${seldom ? sql`and t.kind not in ('hold', 'capture', 'fee')` : sql``}
      ${latest}) t`;
}

/** The available balance at each of these times, in the same order. */
export async function readBalances(sql: Queryable, accountId: string, times: readonly number[]): Promise<readonly bigint[]> {
  const rows = await sql<{ place: number; available_after: bigint | null }[]>`
    with recursive halves (place, at, low, high) as (
      select m.place, m.at, ${lastArchivedSequence(sql, accountId)} + 1, w.seq + 1
      from wallets w cross join unnest(${times.map((time) => new Date(time).toISOString())}::timestamptz[]) with ordinality as m (at, place)
      where w.account_id = ${accountId}
      union all
      select h.place, h.at, case when t.at < h.at then t.seq + 1 else h.low end, case when t.at < h.at then h.high else t.seq end
      from halves h join transfers t on t.account_id = ${accountId} and t.seq = (h.low + h.high) / 2
      where h.low < h.high
    )
    select h.place::int as place, coalesce(t.available_after, ${lastArchivedBalance(sql, accountId)}) as available_after from halves h
    left join transfers t on t.account_id = ${accountId} and t.seq = h.low - 1 where h.low = h.high`;
  const known = new Map(rows.map((row) => [row.place, row.available_after ?? 0n]));
  return times.map((_, place) => known.get(place + 1) ?? 0n);
}

/** A range of numbers in which all transfers of a period are, end excluded. Without an end time, all later numbers. */
export async function sequenceRange(
  sql: Queryable,
  accountId: string,
  fromMilliseconds: number,
  toMilliseconds: number | null,
): Promise<readonly [first: bigint, end: bigint]> {
  const [start, end] = await Promise.all([
    searchSequence(sql, accountId, fromMilliseconds - CLOCK_MARGIN_MILLISECONDS),
    toMilliseconds === null ? null : searchSequence(sql, accountId, toMilliseconds + CLOCK_MARGIN_MILLISECONDS),
  ]);
  // If the period begins before all numbers that are not archived, smaller ones may belong to it too: a month can leave the
  // database while transfers of the next one, numbered before its last ones, stay.
  const first = start.first === start.archived + 1n ? 1n : start.first;
  return [first, end?.first ?? MAX_SEQUENCE];
}

type Found = { readonly first: bigint; readonly archived: bigint };

/** The number of the first transfer at or after a time, by binary search: numbers have no gaps, so twenty reads do for a million. */
async function searchSequence(sql: Queryable, accountId: string, milliseconds: number): Promise<Found> {
  const at = new Date(milliseconds);
  const [row] = await sql<Found[]>`
    with recursive halves (low, high) as (
      select ${lastArchivedSequence(sql, accountId)} + 1, w.seq + 1 from wallets w where w.account_id = ${accountId}
      union all
      select case when t.at < ${at} then t.seq + 1 else h.low end, case when t.at < ${at} then h.high else t.seq end
      from halves h join transfers t on t.account_id = ${accountId} and t.seq = (h.low + h.high) / 2
      where h.low < h.high
    )
    select low as first, ${lastArchivedSequence(sql, accountId)} as archived from halves where low = high`;
  return row ?? { first: 1n, archived: 0n };
}
