import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { DEVELOPMENT_VERSION, isDevelopmentVersion } from "@corprail/server/platform/db/migrate";
import { severalCellsFault } from "../cell/find-cells.ts";
import { withDatabase } from "../find-database.ts";
import { done, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import type { Header } from "./header.ts";
import { findKey } from "./master-key.ts";
import { writeSnapshot } from "./write-snapshot.ts";

export type BackupOptions = { readonly withMasterKey?: boolean };

const KEY_INSIDE = "The master key is in this file: whoever has the file has every token and secret. Keep it as you keep the key.";
const KEY_APART = "The master key is not in it. Keep the key file apart; a restore needs it: corprail restore FILE --master-key KEYFILE";

/** Writes a consistent snapshot while services keep running. */
export async function makeBackup(ctx: CommandContext, file: string, options: BackupOptions): Promise<Outcome> {
  const path = resolve(file);
  if (existsSync(path)) return failed(`${path} exists already: choose another name.`);
  return await withDatabase(ctx, "existing", async (url) => {
    const { sql, close } = connect({ url, connections: 2, role: null });
    try {
      const fault = (await sourceFault(sql)) ?? (await severalCellsFault(sql));
      return fault === null ? await writeBackup(ctx, sql, path, options) : failed(fault);
    } finally {
      await close();
    }
  });
}

// A database without this version's migrations can also be backed up, because backups are made before updates.
async function sourceFault(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ present: boolean }[]>`select to_regclass('public.installation') is not null as present`;
  const installations = row?.present ? await sql`select installation_id from installation` : [];
  if (installations.length !== 1) return "There is no installation in this database: nothing to back up.";
  const applied = await sql<{ version: number; name: string }[]>`select version, name from schema_migrations`;
  return isDevelopmentVersion(applied) ? `The database ${DEVELOPMENT_VERSION}` : null;
}

async function writeBackup(ctx: CommandContext, sql: Sql, path: string, options: BackupOptions): Promise<Outcome> {
  const key = options.withMasterKey ? await readFile(await findKey(ctx, sql), "utf8") : null;
  const { header, counts } = await writeSnapshot(ctx, sql, path, key);
  const { size } = await stat(path);
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  ctx.note(key === null ? KEY_APART : KEY_INSIDE);
  const words = `The backup is in ${path}: ${counts.size} tables, ${rows} rows, ${size} bytes.`;
  return done(words, {
    file: path,
    bytes: size,
    rows,
    tables: Object.fromEntries(counts),
    ...headerFields(header),
    with_master_key: key !== null,
  });
}

function headerFields(header: Header) {
  return { taken_at: header.taken_at, installation_id: header.installation_id, master_key_ids: header.master_key_ids };
}
