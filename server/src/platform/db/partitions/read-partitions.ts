import { indiaMonthSpan } from "../../core/india-time.ts";
import type { Queryable } from "../connection.ts";
import {
  defaultPartition,
  PARTITIONED,
  type Partition,
  type PartitionedTable,
  partitionAt,
  partitionsNamed,
} from "./partitioned-tables.ts";

// Writes wait behind a waiting lock, so it must be short: an order is answered within ten seconds.
const LOCK_MILLISECONDS = 200;

/** Limits how long a change of the partitions may wait for a lock, and with it every write that queues behind it. */
export async function boundLocks(tx: Queryable): Promise<void> {
  await tx`select set_config('lock_timeout', ${String(LOCK_MILLISECONDS)}, true)`;
}

/** The partitioned tables that the database has: a backup of an older version is restored with its own schema first. */
export async function partitionedTables(sql: Queryable): Promise<readonly PartitionedTable[]> {
  const rows = await sql<{ name: string }[]>`
    select relname::text as name from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace`;
  return PARTITIONED.filter(({ table }) => rows.some(({ name }) => name === table));
}

/** Every partition with a time span, by its name. */
export async function listPartitions(sql: Queryable): Promise<ReadonlyMap<string, Partition>> {
  const rows = await sql<{ name: string }[]>`
    select c.relname::text as name from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
    where p.relkind = 'p' and p.relnamespace = 'public'::regnamespace order by c.relname`;
  return new Map(partitionsNamed(rows.map(({ name }) => name)).map((one) => [one.name, one]));
}

/** The end of the newest month that has left the database, or of the newest one before a month; null if there is none. */
export async function readArchivedUntil(sql: Queryable, beforeMonth: string | null = null): Promise<number | null> {
  const [row] = await sql<{ month: string | null }[]>`
    select max(month) as month from archived_months where ${beforeMonth}::text is null or month < ${beforeMonth}::text`;
  return indiaMonthSpan(row?.month ?? "")?.toMilliseconds ?? null;
}

/**
 * The rows of a default partition that ought to have one of their own. Rows that a wrong clock dates into months that have left
 * stay there: with a partition, such a month would seem to be still in the database.
 */
export function misplacedRows(of: PartitionedTable, archivedUntil: number | null): string {
  const all = defaultPartition(of);
  if (of.kept !== "history" || archivedUntil === null) return all;
  return `${all} where ${of.key} >= '${partitionAt(of, archivedUntil).bounds[0]}'`;
}

/** The tables whose default partition has misplaced rows: their partition was not made in time. */
export async function tablesWithMisplacedRows(sql: Queryable): Promise<readonly string[]> {
  const archivedUntil = await readArchivedUntil(sql);
  const parts = PARTITIONED.map((of) => `(select '${of.table}' from ${misplacedRows(of, archivedUntil)} limit 1)`);
  const rows = await sql.unsafe<{ table: string }[]>(parts.map((part) => `select t as table from ${part} as x (t)`).join(" union all "));
  return rows.map(({ table }) => table);
}
