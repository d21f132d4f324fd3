import type { Transaction } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";

/**
 * Records in the new cell how far back each process of the old one has orders in progress or unanswered. If a process is dead, or
 * dies before its next heartbeat in the new cell, its orders of the moved accounts are searched for from then on. This is the last
 * step of the copy, because heartbeats wait for its locks.
 */
export async function copyProcesses(from: Transaction, to: Transaction): Promise<void> {
  const rows = await from<Row<"processes">[]>`select * from processes order by process_id`;
  for (const row of rows)
    await to`
      insert into processes ${to(row)}
      on conflict (process_id) do update set oldest_open_at = least(processes.oldest_open_at, excluded.oldest_open_at)`;
}
