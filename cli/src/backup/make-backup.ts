import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { cellName } from "@corprail/server/domain/cells/cell";
import { HOME_CELL } from "@corprail/server/platform/core/ids";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { DEVELOPMENT_VERSION, isDevelopmentVersion } from "@corprail/server/platform/db/schema/migrate";
import { type ConnectedCell, unnamedCells, withOtherCells } from "../cell/find-cells.ts";
import { withoutMoves } from "../cell/without-moves.ts";
import { withDatabase } from "../shared/find-database.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import type { Header } from "./header.ts";
import { findKey } from "./master-key.ts";
import { type Snapshot, writeSnapshot } from "./write-snapshot.ts";

export type BackupOptions = { readonly withMasterKey?: boolean };

const KEY_INSIDE = "The master key is in this file: whoever has the file has every token and secret. Keep it as you keep the key.";
const KEY_APART = "The master key is not in it. Keep the key file apart; a restore needs it: corprail restore FILE --master-key KEYFILE";

/** Writes a consistent snapshot while services keep running: a file, or with several cells a folder with a file of each. */
export async function makeBackup(ctx: CommandContext, file: string, options: BackupOptions): Promise<Outcome> {
  const path = resolve(file);
  if (existsSync(path)) return failed(`${path} exists already: choose another name.`);
  if (!existsSync(dirname(path))) return failed(`There is no folder ${dirname(path)}: create it first.`);
  return await withDatabase(ctx, "existing", async (url) => {
    const { sql, close } = connect({ url, connections: 4, role: null });
    try {
      const fault = (await sourceFault(sql)) ?? (await unnamedCells(ctx, sql));
      if (fault !== null) return failed(fault);
      return ctx.config.cells.length === 0 ? await writeBackup(ctx, sql, path, options) : await backUpCells(ctx, sql, path, options);
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
  const key = await readKey(ctx, sql, options);
  const { header, counts } = await writeSnapshot(ctx, sql, path, key, { backup_id: randomUUID(), cell: HOME_CELL, other_cells: [] });
  const { size } = await stat(path);
  const rows = sumOf(counts);
  ctx.note(key === null ? KEY_APART : KEY_INSIDE);
  const words = `The backup is in ${path}: ${counts.size} tables, ${rows} rows, ${size} bytes.`;
  const tables = Object.fromEntries(counts);
  return done(words, { file: path, bytes: size, rows, tables, ...headerFields(header), with_master_key: key !== null });
}

async function readKey(ctx: CommandContext, home: Sql, { withMasterKey }: BackupOptions): Promise<string | null> {
  return withMasterKey ? await readFile(await findKey(ctx, home), "utf8") : null;
}

function sumOf(counts: Snapshot["counts"]): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** No account may be between two cells, because the copies of the cells are not of the same moment. */
async function backUpCells(ctx: CommandContext, home: Sql, path: string, options: BackupOptions): Promise<Outcome> {
  return await withoutMoves(home, () => withOtherCells(ctx, home, (others) => writeCells(ctx, { home, others, path }, options)));
}

type Source = { readonly home: Sql; readonly others: readonly ConnectedCell[]; readonly path: string };

/** Home is copied last: it then knows where every account is that a cell's copy has. */
async function writeCells(ctx: CommandContext, { home, others, path }: Source, options: BackupOptions): Promise<Outcome> {
  const key = await readKey(ctx, home, options);
  const [backup_id, other_cells] = [randomUUID(), others.map(({ cell }) => cell)];
  const partial = `${path}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  let rows = 0;
  let header: Header | null = null;
  for (const { cell, sql } of [...others, { cell: HOME_CELL, sql: home }]) {
    ctx.note(`Backing up ${cellName(cell)}.`);
    const snapshot = await writeSnapshot(ctx, sql, join(partial, cellFile(cell)), key, { backup_id, cell, other_cells });
    rows += sumOf(snapshot.counts);
    header = snapshot.header;
  }
  // Only a complete backup has its name.
  await rename(partial, path);
  ctx.note(key === null ? KEY_APART : KEY_INSIDE);
  const words = `The backup of ${others.length + 1} cells is in the folder ${path}: ${rows} rows.`;
  return done(words, {
    folder: path,
    cells: [HOME_CELL, ...other_cells],
    rows,
    ...(header && headerFields(header)),
    with_master_key: key !== null,
  });
}

/** The name of a cell's file in a backup of several. */
export function cellFile(cell: number): string {
  return cell === HOME_CELL ? "home.backup" : `cell-${cell}.backup`;
}

function headerFields(header: Header) {
  return { taken_at: header.taken_at, installation_id: header.installation_id, master_key_ids: header.master_key_ids };
}
