import type { Sql } from "../db/connection.ts";

const ROWS_A_STEP = 5_000;

/** Removes nonces whose timestamp can no longer be fresh, in small steps. Answers how many went. */
export async function sweepNonces(sql: Sql, nowSeconds: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const { count } = await sql`
      delete from gate_nonces where (account_id, nonce) in (
        select account_id, nonce from gate_nonces where expires_at < ${nowSeconds} order by expires_at limit ${ROWS_A_STEP} for update skip locked
      )`;
    removed += count;
    if (count < ROWS_A_STEP) return removed;
  }
}
