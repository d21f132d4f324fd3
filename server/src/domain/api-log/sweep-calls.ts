import type { Sql } from "../../platform/db/connection.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;
/** Two days of hourly counts, because the last 24 hours are shown. */
const HOURS_KEPT_MILLISECONDS = 2 * DAY_MILLISECONDS;
const REFUSED_KEPT_MILLISECONDS = 30 * DAY_MILLISECONDS;
const REFUSED_PER_ACCOUNT = 200;
const ROWS_A_STEP = 5_000;
const ROWS_AN_ACCOUNT = 1_000;

/** Deletes requests older than so many days in small steps, and returns their number. Several processes may run it at once. */
export async function sweepCalls(sql: Sql, nowMilliseconds: number, days: number): Promise<number> {
  const before = (milliseconds: number) => new Date(nowMilliseconds - milliseconds);
  let removed = 0;
  for (;;) {
    const count = await sweepStep(sql, before(days * DAY_MILLISECONDS));
    removed += count;
    if (count === 0) break;
  }
  await sql`delete from api_refused_signatures where at < ${before(days * DAY_MILLISECONDS)}`;
  await sql`delete from api_signed_calls where hour < ${before(HOURS_KEPT_MILLISECONDS)}`;
  await sweepRefused(sql, before(REFUSED_KEPT_MILLISECONDS));
  return removed;
}

// Each account's oldest entries are found by the only index.
async function sweepStep(sql: Sql, before: Date): Promise<number> {
  const { count } = await sql`
    delete from api_calls where ctid = any(array(
      select c.ctid from accounts a cross join lateral (
        select ctid from api_calls where account_id = a.account_id and at < ${before} order by at limit ${ROWS_AN_ACCOUNT} for update skip locked) c
      limit ${ROWS_A_STEP}))`;
  return count;
}

async function sweepRefused(sql: Sql, before: Date): Promise<void> {
  await sql`
    delete from api_usage u using (
      select account_id, subject, last_at, row_number() over (partition by account_id order by last_at desc, subject) as place
      from api_usage where kind = 'refused') r
    where u.account_id = r.account_id and u.kind = 'refused' and u.subject = r.subject
      and (r.place > ${REFUSED_PER_ACCOUNT} or r.last_at < ${before})`;
}
