import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import type { Sql } from "../../../platform/db/connection.ts";

export type ComplaintCounts = {
  readonly open: number;
  /** Due by the end of the day in India, but not overdue. */
  readonly dueToday: number;
  readonly overdue: number;
  readonly refundBlocked: number;
};

const DAY_MILLISECONDS = 24 * 3_600_000;

export async function readComplaintCounts(sql: Sql, now: number): Promise<ComplaintCounts> {
  const [at, tomorrow] = [new Date(now), new Date((indiaMidnight(indiaDate(now)) ?? now) + DAY_MILLISECONDS)];
  const [row] = await sql<ComplaintCounts[]>`
    select count(*)::int as open, count(*) filter (where due_by >= ${at} and due_by < ${tomorrow})::int as "dueToday",
      count(*) filter (where due_by < ${at})::int as overdue, count(*) filter (where stage = 'refund_blocked')::int as "refundBlocked"
    from complaints where status = 'OPEN'`;
  return row ?? { open: 0, dueToday: 0, overdue: 0, refundBlocked: 0 };
}
