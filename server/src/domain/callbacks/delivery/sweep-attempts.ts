import type { Sql } from "../../../platform/db/connection.ts";
import { deleteInSteps } from "../../../platform/db/delete-in-steps.ts";

/** Deletes delivery attempts before this time, in small steps. The callback keeps its last status and its number of attempts. */
export async function sweepAttempts(sql: Sql, before: Date): Promise<number> {
  const { rows } = await deleteInSteps(async (limit) => {
    const { count } = await sql`
      delete from callback_attempts where ctid = any(array(select ctid from callback_attempts where at < ${before} limit ${limit}))`;
    return count;
  });
  return rows;
}
