import type { Queryable } from "../../../platform/db/connection.ts";
import type { Budget } from "./admission.ts";

const WINDOW_SECONDS = 60;
const BUDGETS: readonly Budget[] = ["money", "get"];

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
