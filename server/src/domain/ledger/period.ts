import type { Span } from "../../platform/core/india-time.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import { lastArchivedBalance } from "./closings.ts";
import { MOVES, type MoveKind } from "./moves.ts";
import { type StatementRow, sequenceRange } from "./statement.ts";

/** A time range of an account; it may end in the future. */
export type Period = Span & { readonly accountId: string };

/** The sum of the transfers of one kind for one operator's orders, or without an order. */
export type PeriodSum = {
  readonly service: string | null;
  readonly operator: string | null;
  readonly credit: boolean | null;
  readonly kind: string;
  readonly transfers: number;
  /** The number of those transfers whose order has no amount. */
  readonly of_nothing: number;
  readonly amount: bigint;
};

export type PeriodSums = {
  /** The available balance before the first transfer of the period, and after the last. */
  readonly opening: bigint;
  readonly closing: bigint;
  readonly sums: readonly PeriodSum[];
};

/** Sums all transfers of a period. A transfer belongs to the period of its timestamp, so consecutive periods share none. */
export async function readPeriodSums(sql: Sql, period: Period, now: number): Promise<PeriodSums> {
  return await sql.begin("isolation level repeatable read read only", async (tx) => {
    const numbers = await numbersIn(tx, period, now);
    const [opening, sums] = [await readOpening(tx, period, numbers), await readSums(tx, period, numbers)];
    return { opening, closing: sums.reduce((sum, one) => sum + signed(one), opening), sums };
  });
}

type Numbers = readonly [first: bigint, end: bigint];

async function numbersIn(sql: Queryable, period: Period, now: number): Promise<Numbers> {
  return await sequenceRange(sql, period.accountId, period.fromMilliseconds, period.toMilliseconds <= now ? period.toMilliseconds : null);
}

/** Clocks differ slightly: transfers after the first number may still belong to the previous period. */
async function readOpening(sql: Queryable, { accountId, fromMilliseconds }: Period, [first, end]: Numbers): Promise<bigint> {
  const [row] = await sql<{ opening: bigint }[]>`
    select coalesce((select available_after from transfers where account_id = ${accountId} and seq = ${first - 1n}), ${lastArchivedBalance(sql, accountId)})
      + coalesce((select sum(case when to_bucket = 'available' then amount when from_bucket = 'available' then -amount else 0 end)
        from transfers where account_id = ${accountId} and seq >= ${first} and seq < ${end} and at < ${new Date(fromMilliseconds)}), 0)::bigint
      as opening`;
  return row?.opening ?? 0n;
}

async function readSums(sql: Queryable, period: Period, [first, end]: Numbers): Promise<readonly PeriodSum[]> {
  return await sql<PeriodSum[]>`
    select o.service, o.operator, o.credit, t.kind, count(*)::int as transfers, count(*) filter (where o.amount = 0)::int as of_nothing,
      sum(t.amount)::bigint as amount
    from transfers t left join orders o on o.account_id = t.account_id and o.order_id = t.order_id
    where t.account_id = ${period.accountId} and t.seq >= ${first} and t.seq < ${end}
      and t.at >= ${new Date(period.fromMilliseconds)} and t.at < ${new Date(period.toMilliseconds)}
    group by o.service, o.operator, o.credit, t.kind order by o.service, o.operator, o.credit, t.kind`;
}

/** The change of the available balance. */
function signed({ kind, amount }: PeriodSum): bigint {
  const { from, to } = MOVES[kind as MoveKind];
  if (to === "available") return amount;
  return from === "available" ? -amount : 0n;
}

// A page is a range of numbers, not a count of lines, so that its cost is bounded whatever plan is chosen.
const NUMBERS_A_STEP = 2_000n;

/** Yields every change of the available balance in a period, oldest first, in pages. */
export async function* readPeriodLines(sql: Sql, period: Period, now: number): AsyncGenerator<readonly StatementRow[]> {
  const { accountId, fromMilliseconds, toMilliseconds } = period;
  const [first, later] = await numbersIn(sql, period, now);
  const [wallet] = await sql<{ seq: bigint }[]>`select seq from wallets where account_id = ${accountId}`;
  const last = wallet?.seq ?? 0n;
  const end = later <= last ? later : last + 1n;
  for (let from = first; from < end; from += NUMBERS_A_STEP) {
    yield await sql<StatementRow[]>`
      select t.seq, t.kind, case when t.to_bucket = 'available' then t.amount else -t.amount end as amount, t.available_after,
        t.order_id, o.reference as urid, o.service, o.operator, o.target, o.fee, t.narration, t.at
      from transfers t
      -- Looked up one by one, however many orders there are.
      left join lateral (
        select o.reference, o.service, o.operator, o.target, o.fee from orders o
        where o.account_id = t.account_id and o.order_id = t.order_id offset 0) o on true
      where t.account_id = ${accountId} and t.seq >= ${from} and t.seq < ${from + NUMBERS_A_STEP} and t.seq < ${end}
        and t.at >= ${new Date(fromMilliseconds)} and t.at < ${new Date(toMilliseconds)}
        and (t.from_bucket = 'available' or t.to_bucket = 'available')
      order by t.seq`;
  }
}
