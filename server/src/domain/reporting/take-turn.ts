import type { Sql } from "../../platform/db/connection.ts";

// A turn that was taken with a clock far ahead is not waited for.
const MOST_AHEAD_MILLISECONDS = 60_000;

/** True for one process in every so many milliseconds, whichever asks first. */
export async function takeTurn(sql: Sql, job: string, now: number, everyMilliseconds: number): Promise<boolean> {
  const rows = await sql`
    insert into turns (job, taken_at) values (${job}, ${new Date(now)})
    on conflict (job) do update set taken_at = excluded.taken_at
      where turns.taken_at <= ${new Date(now - everyMilliseconds)} or turns.taken_at > ${new Date(now + MOST_AHEAD_MILLISECONDS)}
    returning job`;
  return rows.length > 0;
}
