import type { Sql } from "../connection.ts";
import { isLocked } from "../database-errors.ts";
import type { Partition } from "./partitioned-tables.ts";
import { boundLocks, listPartitions } from "./read-partitions.ts";

/**
 * Detaches a partition and drops it, and returns about how many rows it had. Null when the table was in use: nothing has
 * happened then. DETACH CONCURRENTLY is not possible for a table with a default partition; this needs only a moment.
 */
async function dropPartition(owner: Sql, { of, name }: Partition): Promise<number | null> {
  try {
    return await owner.begin(async (tx) => {
      await boundLocks(tx);
      const [row] = await tx<{ rows: number }[]>`
        select greatest(reltuples, 0)::float8 as rows from pg_class where oid = ${name}::text::regclass`;
      await tx.unsafe(`alter table ${of.table} detach partition ${name}`);
      await tx.unsafe(`drop table ${name}`);
      return row?.rows ?? 0;
    });
  } catch (error) {
    if (isLocked(error)) return null;
    throw error;
  }
}

/** Drops the partitions of a log that end before a time. Returns about how many rows they had. */
export async function dropPartitionsBefore(owner: Sql, table: string, before: number): Promise<number> {
  const partitions = [...(await listPartitions(owner)).values()];
  const old = partitions.filter(({ of, span }) => of.table === table && of.kept === "log" && span.toMilliseconds <= before);
  let dropped = 0;
  for (const one of old) dropped += (await dropPartition(owner, one)) ?? 0;
  return dropped;
}
