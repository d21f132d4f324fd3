import { type Clock, sharedNow } from "../../../platform/core/clock.ts";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import { MAX_SKEW_SECONDS } from "../../../platform/db/database-clock.ts";
import { BUDGETS, type Budget, WINDOW_SECONDS } from "./admission.ts";

const ROWS_A_STEP = 5_000;

type Row = { readonly budget: number; readonly second: bigint; readonly total: number; readonly counts: number[] };

/** The number of requests of each budget in the last minute, computed as the gate does. */
export async function readBudgets(sql: Queryable, accountId: string, nowSeconds: number): Promise<Readonly<Record<Budget, number>>> {
  const rows = await sql<Row[]>`select budget, second, total, counts from rate_limit_windows where account_id = ${accountId}`;
  const used = { money: 0, get: 0 };
  for (const row of rows) {
    const name = BUDGETS[row.budget];
    if (name) used[name] = usedOf(row, nowSeconds);
  }
  return used;
}

function usedOf(row: Row, nowSeconds: number): number {
  const last = Number(row.second);
  if (last > nowSeconds + WINDOW_SECONDS) return row.total;
  let sum = 0;
  for (let second = Math.max(nowSeconds, last) - WINDOW_SECONDS + 1; second <= last; second++)
    sum += row.counts[second % WINDOW_SECONDS] ?? 0;
  return sum;
}

/**
 * Deletes nonces whose timestamp can no longer be fresh in any process, in small steps, and returns their number. The limit
 * is the shared time minus the tolerated skew and minus the offset of the process whose clock is furthest behind.
 */
export async function sweepNonces(sql: Sql, clock: Clock): Promise<number> {
  const second = Math.floor(sharedNow(clock) / 1000) - MAX_SKEW_SECONDS;
  const ownOffset = Math.min(0, clock.offsetSeconds ?? 0);
  let removed = 0;
  for (;;) {
    const { count } = await sql`
      delete from request_nonces where (account_id, nonce) in (
        select account_id, nonce from request_nonces where expires_at < ${second}::bigint + least(${ownOffset}::integer, (select min(clock_offset_seconds) from processes))
        order by expires_at limit ${ROWS_A_STEP} for update skip locked
      )`;
    removed += count;
    if (count < ROWS_A_STEP) return removed;
  }
}
