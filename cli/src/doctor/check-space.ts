import type { Sql } from "@corprail/server/platform/db/connection";
import { type Finding, ok, warn } from "./finding.ts";

const MIB = 1024 * 1024;
const SHOWN_TABLES = 5;
const MUCH_WAL_BYTES = 1024 * MIB;

/** Reports the largest tables and retained WAL. */
export async function checkSpace(sql: Sql): Promise<readonly Finding[]> {
  return [await checkTables(sql), ...(await checkSlots(sql))];
}

async function checkTables(sql: Sql): Promise<Finding> {
  const rows = await sql<{ name: string; bytes: string }[]>`
    select c.relname as name, pg_total_relation_size(c.oid)::text as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' order by pg_total_relation_size(c.oid) desc limit ${SHOWN_TABLES}`;
  const [total] = await sql<{ bytes: string }[]>`select pg_database_size(current_database())::text as bytes`;
  const largest = rows.map(({ name, bytes }) => `${name} ${mebibytes(bytes)}`).join(", ");
  return ok("disk use", `${mebibytes(total?.bytes ?? "0")} in all; largest: ${largest}`);
}

// A replica or archive that falls behind prevents PostgreSQL from deleting its WAL until the disk is full.
async function checkSlots(sql: Sql): Promise<readonly Finding[]> {
  const rows = await sql<{ name: string; active: boolean; bytes: string | null }[]>`
    select slot_name as name, active,
      pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn)::text as bytes
    from pg_replication_slots order by slot_name`;
  return rows.map(({ name, active, bytes }) => {
    const found = `slot ${name} keeps ${mebibytes(bytes ?? "0")} of log, ${active ? "in use" : "not in use"}`;
    if (Number(bytes ?? 0) < MUCH_WAL_BYTES) return ok("replication", found);
    return warn("replication", found, "Repair the replica that uses it, or drop the slot and build the replica anew.");
  });
}

function mebibytes(bytes: string): string {
  return `${Math.ceil(Number(bytes) / MIB)} MiB`;
}
