import type { Sql } from "../../platform/db/connection.ts";

// A turn taken by a clock far ahead is ignored.
const MAX_AHEAD_MILLISECONDS = 60_000;

/** Returns true for one process in every interval, whichever asks first. */
export async function claimTurn(sql: Sql, job: string, now: number, everyMilliseconds: number): Promise<boolean> {
  const rows = await sql`
    insert into periodic_job_runs (job, started_at) values (${job}, ${new Date(now)})
    on conflict (job) do update set started_at = excluded.started_at
      where periodic_job_runs.started_at <= ${new Date(now - everyMilliseconds)} or periodic_job_runs.started_at > ${new Date(now + MAX_AHEAD_MILLISECONDS)}
    returning job`;
  return rows.length > 0;
}

/** Keeps the turn of work that takes longer than an interval. */
export async function keepTurn(sql: Sql, job: string, now: number): Promise<void> {
  await sql`update periodic_job_runs set started_at = ${new Date(now)} where job = ${job}`;
}

/** Lets the next process that asks have the turn: the work was interrupted. */
export async function returnTurn(sql: Sql, job: string): Promise<void> {
  await sql`update periodic_job_runs set started_at = 'epoch' where job = ${job}`;
}
