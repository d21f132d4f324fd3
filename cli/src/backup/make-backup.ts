import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { connect, type Sql, type Transaction } from "@corprail/server/db/connection";
import { withDatabase } from "../find-database.ts";
import { done, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { version } from "../version.ts";
import { type BackupWriter, writeBackupFile } from "./backup-file.ts";
import { copyOut } from "./copy-out.ts";
import type { AppliedMigration, Header } from "./header.ts";
import { findKey, keyFault } from "./master-key.ts";
import { progress } from "./progress.ts";
import { readSequences, readTables, type Table } from "./tables.ts";

export type BackupOptions = { readonly withMasterKey?: boolean };

const KEY_INSIDE = "The master key is in this file: whoever has the file has every token and secret. Keep it as you keep the key.";
const KEY_APART = "The master key is not in it. Keep the key file apart; a restore needs it: corprail restore FILE --master-key KEYFILE";

/** Everything as of one moment, while services go on working. */
export async function makeBackup(ctx: CommandContext, file: string, options: BackupOptions): Promise<Outcome> {
  const path = resolve(file);
  if (existsSync(path)) return failed(`${path} exists already: choose another name.`);
  return await withDatabase(ctx, "existing", async (url) => {
    const { sql, close } = connect({ url, connections: 2, role: null });
    try {
      const fault = await sourceFault(sql);
      return fault === null ? await writeBackup(ctx, sql, path, options) : failed(fault);
    } finally {
      await close();
    }
  });
}

// A database that lacks this version's migrations is backed up as well: that is what one does before an update.
async function sourceFault(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ present: boolean }[]>`select to_regclass('public.installation') is not null as present`;
  const installations = row?.present ? await sql`select installation_id from installation` : [];
  return installations.length === 1 ? null : "There is no installation in this database: nothing to back up.";
}

async function writeBackup(ctx: CommandContext, sql: Sql, path: string, options: BackupOptions): Promise<Outcome> {
  const key = options.withMasterKey ? await readFile(await findKey(ctx, sql), "utf8") : null;
  const counts = new Map<string, number>();
  let taken: Header | null = null;
  await writeBackupFile(path, async (writer) => {
    await sql.begin("isolation level repeatable read read only", async (tx) => {
      taken = await readHeader(tx, key);
      await writer.header(taken);
      await copyTables(ctx, tx, taken.tables, writer, counts);
    });
  });
  const { size } = await stat(path);
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  ctx.note(key === null ? KEY_APART : KEY_INSIDE);
  const words = `The backup is in ${path}: ${counts.size} tables, ${rows} rows, ${size} bytes.`;
  return done(words, {
    file: path,
    bytes: size,
    rows,
    tables: Object.fromEntries(counts),
    ...headerFields(taken),
    with_master_key: key !== null,
  });
}

function headerFields(header: Header | null) {
  return { taken_at: header?.taken_at, installation_id: header?.installation_id, master_key_ids: header?.master_key_ids };
}

async function copyTables(
  ctx: CommandContext,
  tx: Transaction,
  tables: readonly Table[],
  writer: BackupWriter,
  counts: Map<string, number>,
): Promise<void> {
  const tell = progress(ctx);
  for (const [place, table] of tables.entries()) {
    const where = `table ${place + 1} of ${tables.length}, ${table.name}`;
    counts.set(table.name, await copyOut(tx, table, writer, (rows) => tell(() => `${where}: ${rows} rows so far`)));
  }
}

async function readHeader(tx: Transaction, key: string | null): Promise<Header> {
  const [about] = await tx<{ id: string; key_id: string; postgres: string; at: Date }[]>`
    select installation_id as id, master_key_id as key_id, current_setting('server_version') as postgres, now() as at from installation`;
  const keys = await tx<{ key_id: string }[]>`select distinct key_id from credentials`;
  const ids = [...new Set([about?.key_id ?? "", ...keys.map((row) => row.key_id)])].sort();
  const fault = key === null ? null : keyFault(key, ids);
  // Read before this moment's rows were: a rotation may have come between.
  if (fault !== null) throw new Error(`${fault} Is the key being rotated? Run the backup again afterwards.`);
  return {
    corprail: version(),
    taken_at: about?.at.toISOString() ?? "",
    postgres: about?.postgres ?? "",
    installation_id: about?.id ?? "",
    master_key_ids: ids,
    master_key: key,
    migrations: await tx<AppliedMigration[]>`select version, name, checksum from schema_migrations order by version`,
    tables: await readTables(tx),
    sequences: await readSequences(tx),
  };
}
