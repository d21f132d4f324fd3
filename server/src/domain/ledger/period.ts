import type { Span } from "../../platform/core/india-time.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import { refuseIfLeft } from "./archived-months.ts";
import { type StatementRow, sequenceRange } from "./statement.ts";

/** A time range of an account; it may end in the future. */
export type Period = Span & { readonly accountId: string };

type Numbers = readonly [first: bigint, end: bigint];

async function numbersIn(sql: Queryable, period: Period, now: number): Promise<Numbers> {
  return await sequenceRange(sql, period.accountId, period.fromMilliseconds, period.toMilliseconds <= now ? period.toMilliseconds : null);
}

// A page is a range of numbers, not a count of lines, so that its cost is bounded whatever plan is chosen.
export const NUMBERS_A_PAGE = 2_000n;

/** The range of numbers that the transfers of a period can have, end excluded. */
export async function findPeriodNumbers(sql: Queryable, period: Period, now: number): Promise<Numbers> {
  const [first, later] = await numbersIn(sql, period, now);
  const [wallet] = await sql<{ seq: bigint }[]>`select seq from wallets where account_id = ${period.accountId}`;
  const last = wallet?.seq ?? 0n;
  return [first, later <= last ? later : last + 1n];
}

/** Yields every change of the available balance in a period, oldest first, in pages. */
export async function* readPeriodLines(sql: Sql, period: Period, now: number): AsyncGenerator<readonly StatementRow[]> {
  const [first, end] = await findPeriodNumbers(sql, period, now);
  for (let from = first; from < end; from += NUMBERS_A_PAGE) yield await readPeriodPage(sql, period, from, end);
  await refuseIfLeft(sql, period, now);
}

/** The changes of the available balance in a period from a number on, oldest first, up to one page of numbers. */
export async function readPeriodPage(sql: Sql, period: Period, from: bigint, end: bigint): Promise<readonly StatementRow[]> {
  const { accountId, fromMilliseconds, toMilliseconds } = period;
  return await sql<StatementRow[]>`
    select t.seq, t.kind, case when t.to_bucket = 'available' then t.amount else -t.amount end as amount, t.available_after,
      t.order_id, o.reference as urid, o.service, o.operator, o.target, o.fee, t.narration, t.at
    from transfers t
    -- Looked up one by one, however many orders there are.
    left join lateral (
      select o.reference, o.service, o.operator, o.target, o.fee from orders o
      where o.account_id = t.account_id and o.order_id = t.order_id offset 0) o on true
    where t.account_id = ${accountId} and t.seq >= ${from} and t.seq < ${from + NUMBERS_A_PAGE} and t.seq < ${end}
      and t.at >= ${new Date(fromMilliseconds)} and t.at < ${new Date(toMilliseconds)}
      and (t.from_bucket = 'available' or t.to_bucket = 'available')
    order by t.seq`;
}
