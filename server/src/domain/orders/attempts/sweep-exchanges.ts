import type { Sql } from "../../../platform/db/connection.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;
const ROWS_A_STEP = 1_000;
// The rest waits for the next run, so that a long pause or a shorter retention does not make one long run.
const MAX_STEPS = 50;

/** Deletes evidence that is older than so many days, in small steps. Several processes may run it at once. */
export async function sweepExchanges(sql: Sql, nowMilliseconds: number, days: number): Promise<number> {
  const before = new Date(nowMilliseconds - days * DAY_MILLISECONDS);
  let removed = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { count } = await sql`
      delete from provider_exchanges where ctid = any(array(
        select ctid from provider_exchanges where at < ${before} limit ${ROWS_A_STEP}))`;
    removed += count;
    if (count < ROWS_A_STEP) break;
  }
  return removed;
}
