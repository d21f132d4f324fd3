import type { Sql } from "../../platform/db/connection.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;
/** Two days of hourly counts, because the last 24 hours are shown. */
const HOURS_KEPT_MILLISECONDS = 2 * DAY_MILLISECONDS;
const REFUSED_KEPT_MILLISECONDS = 30 * DAY_MILLISECONDS;
const REFUSED_PER_ACCOUNT = 200;

/** Deletes what belongs to the log of requests and is older than so many days. The requests themselves are dropped by days. */
export async function sweepCallDetails(sql: Sql, nowMilliseconds: number, days: number): Promise<void> {
  const before = (milliseconds: number) => new Date(nowMilliseconds - milliseconds);
  await sql`delete from api_refused_signatures where at < ${before(days * DAY_MILLISECONDS)}`;
  await sql`delete from api_signed_calls where hour < ${before(HOURS_KEPT_MILLISECONDS)}`;
  await sweepRefused(sql, before(REFUSED_KEPT_MILLISECONDS));
}

async function sweepRefused(sql: Sql, before: Date): Promise<void> {
  await sql`
    delete from api_usage u using (
      select account_id, subject, last_at, row_number() over (partition by account_id order by last_at desc, subject) as place
      from api_usage where kind = 'refused') r
    where u.account_id = r.account_id and u.kind = 'refused' and u.subject = r.subject
      and (r.place > ${REFUSED_PER_ACCOUNT} or r.last_at < ${before})`;
}
