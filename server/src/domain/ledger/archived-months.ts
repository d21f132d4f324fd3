import { indiaMonth, indiaMonthSpan, type Span } from "../../platform/core/india-time.ts";
import type { Queryable } from "../../platform/db/connection.ts";

/** A month whose orders and transfers have left the database. Its closing balances and sums are kept. */
export type ArchivedMonth = { readonly month: string; readonly archivedAt: Date };

/** The archived months, newest first. */
export async function listArchivedMonths(sql: Queryable): Promise<readonly ArchivedMonth[]> {
  const rows = await sql<{ month: string; detached_at: Date }[]>`select month, detached_at from archived_months order by month desc`;
  return rows.map((row) => ({ month: row.month, archivedAt: row.detached_at }));
}

export async function isArchivedMonth(sql: Queryable, month: string): Promise<boolean> {
  return (await sql`select from archived_months where month = ${month}`).length > 0;
}

// At least three whole months stay in the database, so most periods need no query.
const NEVER_ARCHIVED_MILLISECONDS = 80 * 24 * 3_600_000;

/** The archived months that a period touches, oldest first. A list of the period lacks their records. */
export async function archivedMonthsIn(
  sql: Queryable,
  { fromMilliseconds, toMilliseconds }: Span,
  now: number,
): Promise<readonly string[]> {
  if (fromMilliseconds > now - NEVER_ARCHIVED_MILLISECONDS) return [];
  const [first, last] = [indiaMonth(fromMilliseconds), indiaMonth(toMilliseconds - 1)];
  const rows = await sql<{ month: string }[]>`
    select month from archived_months where month between ${first} and ${last} order by month`;
  return rows.map((row) => row.month);
}

/** What the result of an export adds when months of its period are archived: the file lacks their records. */
export function archivedResult(rows: number, months: readonly string[]): { archived_months?: readonly string[]; message?: string } {
  if (months.length === 0) return {};
  const words = `${rows} rows were written. Records of ${months.join(", ")} are archived and may be missing in the file.`;
  return { archived_months: months, message: words };
}

/** Ends what writes a file if a month of the period has left: records may be missing, and the file must not look complete. */
export async function refuseIfLeft(sql: Queryable, period: Span, now: number): Promise<void> {
  const left = await archivedMonthsIn(sql, period, now);
  if (left.length > 0) throw new Error(`${left.join(", ")} left the database for the archive while a file of it was written.`);
}

/** The beginning of the oldest month that is kept: so many whole months before the present one. */
export function beginOfKeptMonths(now: number, keep: number): number {
  let begin = indiaMonthSpan(indiaMonth(now))?.fromMilliseconds ?? 0;
  for (let month = 0; month < keep; month++) begin = indiaMonthSpan(indiaMonth(begin - 1))?.fromMilliseconds ?? 0;
  return begin;
}
