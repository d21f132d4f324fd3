import type { Sql } from "../../../platform/db/connection.ts";
import { deleteInSteps } from "../../../platform/db/delete-in-steps.ts";

/** Deletes evidence of provider requests before this time, in small steps. Several processes may run it at once. */
export async function sweepExchanges(sql: Sql, before: Date): Promise<number> {
  const { rows } = await deleteInSteps(async (limit) => {
    const { count } = await sql`
      delete from provider_exchanges where ctid = any(array(select ctid from provider_exchanges where at < ${before} limit ${limit}))`;
    return count;
  });
  return rows;
}
