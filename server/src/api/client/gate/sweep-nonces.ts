import { type Clock, sharedNow } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { MAX_SKEW_SECONDS } from "../../../platform/db/database-clock.ts";

const ROWS_A_STEP = 5_000;

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
