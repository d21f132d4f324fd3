import { type Clock, sharedNow } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { MAX_SKEW_SECONDS } from "../../../platform/db/database-clock.ts";

const ROWS_A_STEP = 5_000;

/**
 * Removes nonces whose timestamp can no longer be fresh in any process, in small steps. Returns how many went. The time that
 * all share decides, less the largest skew that is tolerated and the offset of the process whose clock is set back furthest.
 */
export async function sweepNonces(sql: Sql, clock: Clock): Promise<number> {
  const second = Math.floor(sharedNow(clock) / 1000) - MAX_SKEW_SECONDS;
  const ownOffset = Math.min(0, clock.offsetSeconds ?? 0);
  let removed = 0;
  for (;;) {
    const { count } = await sql`
      delete from gate_nonces where (account_id, nonce) in (
        select account_id, nonce from gate_nonces where expires_at < ${second}::bigint + least(${ownOffset}::integer, (select min(clock_offset_seconds) from processes))
        order by expires_at limit ${ROWS_A_STEP} for update skip locked
      )`;
    removed += count;
    if (count < ROWS_A_STEP) return removed;
  }
}
