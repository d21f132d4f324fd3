import { setTimeout as wait } from "node:timers/promises";
import type { Fragment } from "postgres";
import type { Queryable, Sql, Transaction } from "../../platform/db/connection.ts";
import { isOutage } from "../../platform/db/database-errors.ts";
import { keepMonths } from "../../platform/db/partitions/frozen-months.ts";
import { MOVES, type MoveKind } from "./moves.ts";

/** The sum of the transfers of one kind for one operator's orders, or without an order. */
export type MonthSum = {
  readonly service: string | null;
  readonly operator: string | null;
  readonly credit: boolean | null;
  readonly kind: string;
  readonly transfers: number;
  /** The number of those transfers whose order has no amount. */
  readonly of_nothing: number;
  readonly amount: bigint;
};

export type MonthSums = {
  /** The available balance before the first transfer of the month, and after the last. */
  readonly opening: bigint;
  readonly closing: bigint;
  readonly sums: readonly MonthSum[];
};

export const SUM_MILLISECONDS = 5_000;
// A step occupies a core for about 20 ms. Large steps, of about 200 ms, cost less in all, for when a month leaves the database.
const TRANSFERS_A_STEP = 1_000;
const TRANSFERS_A_LARGE_STEP = 10_000;
const BUDGET_MILLISECONDS = 500;
// Between two steps the job rests for this many times as long as the step took, so that requests are not delayed for long.
const REST_BETWEEN_STEPS = 3;
const ACCOUNTS_A_RUN = 100;
// Fewer new transfers are added up when a statement is read, which costs less than writing the sums again and again.
const WORTHWHILE = 500;

/** Adds new transfers to the sums of their months, for the accounts with the most of them. Returns the number of transfers. */
export async function sumNewTransfers(sql: Sql): Promise<number> {
  let worked = 0;
  let transfers = 0;
  await sumEach(await listAccountsBehind(sql, WORTHWHILE, ACCOUNTS_A_RUN), async ({ account_id }) => {
    for (let step = -1; step !== 0 && worked < BUDGET_MILLISECONDS; transfers += step) {
      const startedAt = performance.now();
      step = await sumStep(sql, account_id, WORTHWHILE);
      const took = performance.now() - startedAt;
      worked += took;
      await wait(took * REST_BETWEEN_STEPS);
    }
  });
  return transfers;
}

/**
 * Adds all transfers that exist when it is called. Before a month leaves the database its sums must be complete.
 * Transfers that are posted meanwhile are not waited for: under load there is always another one.
 */
export async function sumAllTransfers(sql: Sql): Promise<void> {
  await sumEach(await listAccountsBehind(sql, 1, null), async ({ account_id, behind }) => {
    for (let left = behind; left > 0; ) {
      const step = await sumStep(sql, account_id, 1, Math.min(left, TRANSFERS_A_LARGE_STEP), "wait");
      if (step === 0) return;
      left -= step;
    }
  });
}

type AccountBehind = { readonly account_id: string; readonly behind: number };

async function listAccountsBehind(sql: Queryable, least: number, limit: number | null): Promise<readonly AccountBehind[]> {
  return await sql<AccountBehind[]>`
    select w.account_id, (w.seq - coalesce(p.seq, 0))::float8 as behind
    from wallets w left join ledger_month_sum_positions p on p.account_id = w.account_id
    where w.moved_to is null and w.seq >= coalesce(p.seq, 0) + ${least}
    order by w.seq - coalesce(p.seq, 0) desc, w.account_id limit ${limit}`;
}

const MOST_NAMED = 10;

/** One damaged account does not keep the others from being summed. It fails the job at the end. */
async function sumEach(accounts: readonly AccountBehind[], sum: (account: AccountBehind) => Promise<void>): Promise<void> {
  const failed: string[] = [];
  let cause: unknown;
  for (const account of accounts) {
    try {
      await sum(account);
    } catch (error) {
      if (isOutage(error)) throw error;
      if (failed.push(account.account_id) === 1) cause = error;
    }
  }
  if (failed.length === 0) return;
  const more = failed.length > MOST_NAMED ? ` and ${failed.length - MOST_NAMED} more` : "";
  const first = cause instanceof Error ? cause.message : String(cause);
  throw new Error(`The transfers of ${failed.slice(0, MOST_NAMED).join(", ")}${more} could not be summed. ${first}`, { cause });
}

/**
 * One step of one account in one transaction: the sums and the position change together, so every transfer is counted once.
 * A transfer is committed with its wallet's number, so all numbers up to it can be seen. Returns the number of transfers.
 */
export async function sumStep(
  sql: Sql,
  accountId: string,
  least: number,
  most = TRANSFERS_A_STEP,
  whenLocked: "skip" | "wait" = "skip",
): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`insert into ledger_month_sum_positions (account_id, seq) values (${accountId}, 0) on conflict do nothing`;
    const [position] = await tx<{ seq: bigint }[]>`
      select seq from ledger_month_sum_positions where account_id = ${accountId} for update ${whenLocked === "skip" ? tx`skip locked` : tx``}`;
    if (!position) return 0;
    const [range] = await tx<{ last: bigint }[]>`
      select least(seq, ${position.seq + BigInt(most)}) as last from wallets
      where account_id = ${accountId} and moved_to is null and seq >= ${position.seq + BigInt(least)}`;
    if (!range) return 0;
    const { last } = range;
    await addRange(tx, accountId, position.seq, last);
    await tx`update ledger_month_sum_positions set seq = ${last} where account_id = ${accountId}`;
    return Number(last - position.seq);
  });
}

async function addRange(tx: Transaction, accountId: string, after: bigint, last: bigint): Promise<void> {
  const [row] = await tx<{ transfers: bigint }[]>`
    with summed as materialized (${summedRange(tx, accountId, after, last)}), added as (
      insert into ledger_month_sums (account_id, month, kind, service, operator, credit, transfers, of_nothing, amount)
      select ${accountId}, month, kind, service, operator, credit, transfers, of_nothing, amount from summed
      on conflict (account_id, month, kind, service, operator, credit) do update set
        transfers = ledger_month_sums.transfers + excluded.transfers, of_nothing = ledger_month_sums.of_nothing + excluded.of_nothing,
        amount = ledger_month_sums.amount + excluded.amount
    )
    select coalesce(sum(transfers), 0)::bigint as transfers from summed`;
  // Numbers have no gaps. A missing transfer would make every later statement wrong.
  if (row?.transfers !== last - after)
    throw new Error(`Of the transfers ${after + 1n} to ${last} of ${accountId}, ${row?.transfers} exist. Run: corprail ledger verify`);
}

/** Orders are looked up one by one, however many there are; the range has both ends, so that the plan uses the index. */
function summedRange(sql: Queryable, accountId: string, after: bigint, last: bigint): Fragment {
  return sql`
    select to_char(t.at at time zone 'Asia/Kolkata', 'YYYY-MM') as month, t.kind, coalesce(o.service, '') as service,
      coalesce(o.operator, '') as operator, coalesce(o.credit, false) as credit, count(*) as transfers,
      count(*) filter (where o.amount = 0) as of_nothing, sum(t.amount)::bigint as amount
    from transfers t left join lateral (
      select o.service, o.operator, o.credit, o.amount from orders o
      where o.account_id = t.account_id and o.order_id = t.order_id offset 0) o on true
    where t.account_id = ${accountId} and t.seq > ${after} and t.seq <= ${last}
    group by 1, 2, 3, 4, 5`;
}

type FoundSum = Omit<MonthSum, "service"> & { readonly service: string; readonly is_before: boolean };

/** The sums of an account's month: the stored ones, and those of later transfers. A transfer belongs to the month of its time. */
export async function readMonthSums(sql: Sql, accountId: string, month: string): Promise<MonthSums> {
  const found = await sql.begin("isolation level repeatable read read only", async (tx) => {
    await keepMonths(tx);
    const [numbers] = await tx<{ last: bigint; summed: bigint }[]>`
      select w.seq as last, coalesce(p.seq, 0) as summed from wallets w left join ledger_month_sum_positions p on p.account_id = w.account_id
      where w.account_id = ${accountId}`;
    const { last, summed } = numbers ?? { last: 0n, summed: 0n };
    return await tx<FoundSum[]>`
      select n.month < ${month} as is_before, n.kind, n.service, n.operator, n.credit, sum(n.transfers)::int as transfers,
        sum(n.of_nothing)::int as of_nothing, sum(n.amount)::bigint as amount
      from (
        select month, kind, service, operator, credit, transfers, of_nothing, amount from ledger_month_sums where account_id = ${accountId}
        ${last > summed ? tx`union all (${summedRange(tx, accountId, summed, last)})` : tx``}) n
      where n.month <= ${month} group by 1, 2, 3, 4, 5 order by n.service, n.operator, n.credit, n.kind`;
  });
  const opening = found.reduce((sum, one) => (one.is_before ? sum + signed(one) : sum), 0n);
  const ofMonth = found.filter((one) => !one.is_before);
  return { opening, closing: ofMonth.reduce((sum, one) => sum + signed(one), opening), sums: ofMonth.map(toMonthSum) };
}

function toMonthSum({ is_before: _, ...sum }: FoundSum): MonthSum {
  return sum.service === "" ? { ...sum, service: null, operator: null, credit: null } : sum;
}

/** The change of the available balance. */
function signed({ kind, amount }: Pick<MonthSum, "kind" | "amount">): bigint {
  const { from, to } = MOVES[kind as MoveKind];
  if (to === "available") return amount;
  return from === "available" ? -amount : 0n;
}
