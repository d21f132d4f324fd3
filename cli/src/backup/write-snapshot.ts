import type { Sql, Transaction } from "@corprail/server/platform/db/connection";
import { listPartitions } from "@corprail/server/platform/db/partitions/read-partitions";
import type { CommandContext } from "../shared/run-command.ts";
import { version } from "../version.ts";
import { type BackupWriter, writeBackupFile } from "./backup-file.ts";
import { copyOut } from "./copy-out.ts";
import type { AppliedMigration, Header } from "./header.ts";
import { keyFault } from "./master-key.ts";
import { type StallWatch, startProgress, watchForStall } from "./progress.ts";
import { quotedName, readSequences, readTables, type Table } from "./tables.ts";

export type Snapshot = { readonly header: Header; readonly counts: ReadonlyMap<string, number> };

// Long enough for a table with only dead rows, which sends nothing while it is read.
const STALL_SECONDS = 300;

// A COPY may take long, but a locked table or a stopped client must not hold the snapshot.
const SESSION = `set local statement_timeout = 0; set local lock_timeout = '60s';
  set local idle_in_transaction_session_timeout = '${STALL_SECONDS}s'`;

/** Which part of a backup a file is. */
export type Part = Pick<Header, "backup_id" | "cell" | "other_cells">;

/** Writes all tables in one snapshot. The transaction ends after the last row, before the file is synced. */
export async function writeSnapshot(ctx: CommandContext, sql: Sql, path: string, key: string | null, part: Part): Promise<Snapshot> {
  const counts = new Map<string, number>();
  const watch = watchForStall(STALL_SECONDS, () => void sql.end({ timeout: 0 }));
  let header: Header | null = null;
  try {
    await writeBackupFile(path, async (writer) => {
      const names = (await readTables(sql)).map(({ name }) => name).sort();
      header = await sql.begin("isolation level repeatable read read only", async (tx) => {
        await tx.unsafe(SESSION);
        await lockTables(tx, names);
        const taken = await readHeader(tx, key, part);
        await writer.header(taken);
        await cancelling(sql, tx, () => copyTables(ctx, tx, taken.tables, { writer, counts, watch }));
        return taken;
      });
      watch.step("the end of the file");
    });
  } catch (error) {
    throw new Error(watch.stalled() ?? (error instanceof Error ? error.message : String(error)), { cause: error });
  } finally {
    watch.stop();
  }
  if (header === null) throw new Error("The backup was not written.");
  return { header, counts };
}

/**
 * Holds all tables before the first query takes the snapshot. A month that left for the archive after the snapshot, or a table
 * that a migration rewrote, would be missing in the backup without an error, because its old rows are gone.
 */
async function lockTables(tx: Transaction, names: readonly string[]): Promise<void> {
  // Not the partitions: detaching one needs the lock of its table too, and the default one must be free when a new one is made.
  for (const name of names)
    await tx.unsafe(`lock table only public.${quotedName(name)} in access share mode`).catch((error: unknown) => failWith(name, error));
}

function failWith(table: string, error: unknown): never {
  throw new Error(`${table}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

/** Cancels the COPY if the file cannot be written. */
async function cancelling(sql: Sql, tx: Transaction, copy: () => Promise<void>): Promise<void> {
  const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
  try {
    await copy();
  } catch (error) {
    await sql`select pg_cancel_backend(${own?.pid ?? 0})`.catch(() => {});
    throw error;
  }
}

type Copying = { readonly writer: BackupWriter; readonly counts: Map<string, number>; readonly watch: StallWatch };

async function copyTables(ctx: CommandContext, tx: Transaction, tables: readonly Table[], copying: Copying): Promise<void> {
  const { writer, counts, watch } = copying;
  const expected = await expectedRows(tx);
  ctx.note(`Backing up ${tables.length} tables${expected > 0 ? `, about ${expected} rows` : ""}.`);
  const progress = startProgress(ctx);
  let before = 0;
  try {
    for (const [place, table] of tables.entries()) {
      const where = `table ${place + 1} of ${tables.length}, ${table.name}`;
      const show = (rows: number) => {
        watch.step(where);
        progress.show(() => `${where}: ${rows} rows; ${before + rows}${before + rows < expected ? ` of about ${expected}` : ""} in all`);
      };
      show(0);
      const rows = await copyOut(tx, table, writer, show).catch((error: unknown) => failWith(table.name, error));
      counts.set(table.name, rows);
      before += rows;
    }
  } finally {
    progress.end();
  }
}

/** PostgreSQL's estimate, which is zero in a database that it has not analysed yet. */
async function expectedRows(tx: Transaction): Promise<number> {
  const [row] = await tx<{ rows: number }[]>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'`;
  return Math.round(row?.rows ?? 0);
}

async function readHeader(tx: Transaction, key: string | null, part: Part): Promise<Header> {
  const [about] = await tx<{ id: string; key_id: string; postgres: string; at: Date }[]>`
    select installation_id as id, master_key_id as key_id, current_setting('server_version') as postgres, now() as at from installation`;
  const keys = await tx<{ key_id: string }[]>`select distinct key_id from credentials`;
  const ids = [...new Set([about?.key_id ?? "", ...keys.map((row) => row.key_id)])].sort();
  const fault = key === null ? null : keyFault(key, ids);
  // The key file was read before the rows, so a rotation may have happened in between.
  if (fault !== null) throw new Error(`${fault} Is the key being rotated? Run the backup again afterwards.`);
  return {
    corprail: version(),
    taken_at: about?.at.toISOString() ?? "",
    postgres: about?.postgres ?? "",
    installation_id: about?.id ?? "",
    ...part,
    master_key_ids: ids,
    master_key: key,
    migrations: await tx<AppliedMigration[]>`select version, name, checksum from schema_migrations order by version`,
    tables: await readTables(tx),
    partitions: [...(await listPartitions(tx)).keys()],
    sequences: await readSequences(tx),
  };
}
