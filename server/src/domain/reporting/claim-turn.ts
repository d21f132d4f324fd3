import type { Sql } from "../../platform/db/connection.ts";

// A turn taken by a clock far ahead is ignored.
const MAX_AHEAD_MILLISECONDS = 60_000;

/** Returns true for one process in every interval, whichever asks first. */
export async function claimTurn(sql: Sql, job: string, now: number, everyMilliseconds: number): Promise<boolean> {
  const rows = await sql`
    insert into turns (job, taken_at) values (${job}, ${new Date(now)})
    on conflict (job) do update set taken_at = excluded.taken_at
      where turns.taken_at <= ${new Date(now - everyMilliseconds)} or turns.taken_at > ${new Date(now + MAX_AHEAD_MILLISECONDS)}
    returning job`;
  return rows.length > 0;
}
