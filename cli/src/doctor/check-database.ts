import type { Sql } from "@corprail/server/platform/db/connection";
import { DEVELOPMENT_VERSION, isDevelopmentVersion, readApplied } from "@corprail/server/platform/db/schema/migrate";
import { readMigrations } from "@corprail/server/platform/db/schema/read-schema";
import { incompatibility, missingFrom, newerThanKnown } from "@corprail/server/platform/db/upgrade/compatibility";
import { type Finding, fail, ok, warn } from "./finding.ts";

const OLDEST_SERVER = 150_000;
const NOTABLE_SKEW_SECONDS = 2;
// Signatures are valid for five minutes, so a larger skew uses up much of that time.
const BAD_SKEW_SECONDS = 60;

export async function checkDatabase(sql: Sql): Promise<readonly Finding[]> {
  return [await checkServer(sql), await checkSkew(sql), await checkMigrations(sql)];
}

async function checkServer(sql: Sql): Promise<Finding> {
  const [row] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`;
  const version = `PostgreSQL ${row?.version}`;
  return (row?.number ?? 0) >= OLDEST_SERVER ? ok("database", version) : fail("database", version, "PostgreSQL 15 or later is needed.");
}

async function checkSkew(sql: Sql): Promise<Finding> {
  const before = Date.now();
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  const skew = Math.abs((row?.now.getTime() ?? 0) - (before + Date.now()) / 2) / 1000;
  const found = `${skew.toFixed(1)} seconds from the database's`;
  if (skew < NOTABLE_SKEW_SECONDS) return ok("clock", found);
  const advice = "Let both machines follow a time server.";
  return skew < BAD_SKEW_SECONDS ? warn("clock", found, advice) : fail("clock", found, advice);
}

async function checkMigrations(sql: Sql): Promise<Finding> {
  const [row] = await sql<{ present: boolean }[]>`select to_regclass('public.schema_migrations') is not null as present`;
  const recorded = row?.present ? await sql<{ version: number; name: string }[]>`select version, name from schema_migrations` : [];
  if (isDevelopmentVersion(recorded))
    return fail("migrations", `the database ${DEVELOPMENT_VERSION}`, "Start with a new data folder or an empty database.");
  const [known, applied] = [await readMigrations(), row?.present ? await readApplied(sql) : []];
  const against = incompatibility(applied, known);
  if (against !== null) return fail("migrations", against, "Start that version again, or restore the release's own files.");
  const [missing, waiting] = [missingFrom(applied, known, false), missingFrom(applied, known, true)];
  if (missing.length > 0) return fail("migrations", `${missing.length} of ${known.length} are missing`, "Run: corprail migrate");
  const newer = newerThanKnown(applied, known);
  if (newer.length > 0) return ok("migrations", `all applied, and ${newer.length} of a newer version that this one can work with`);
  if (waiting.length > 0) return ok("migrations", `all needed ones applied; ${waiting.length} wait for corprail upgrade run --contract`);
  return ok("migrations", `all ${known.length} applied`);
}

const MIB = 1024 * 1024;
const SHOWN_TABLES = 5;
const MUCH_WAL_BYTES = 1024 * MIB;

/** Reports the largest tables and retained WAL. */
export async function checkSpace(sql: Sql): Promise<readonly Finding[]> {
  return [await checkTables(sql), ...(await checkSlots(sql))];
}

async function checkTables(sql: Sql): Promise<Finding> {
  const rows = await sql<{ name: string; bytes: string }[]>`
    select coalesce(p.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::text as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_inherits p on p.inhrelid = c.oid
    where c.relkind = 'r' and n.nspname = 'public' group by 1 order by sum(pg_total_relation_size(c.oid)) desc limit ${SHOWN_TABLES}`;
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
