import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { connect, type Sql, type Transaction } from "@corprail/server/platform/db/connection";
import { tryLockFolder } from "@corprail/server/platform/db/embedded/folder-lock";
import type { CommandContext } from "../shared/run-command.ts";
import type { Header } from "./header.ts";

/** Why the backup cannot be restored there; null if the target is empty. */
export async function placeFault({ config }: CommandContext, header: Header): Promise<string | null> {
  if (config.databaseUrl !== null) return await databaseFault(config.databaseUrl, header, "of CORPRAIL_DATABASE_URL");
  const inFolder = await namesIn(config.dataFolder);
  if (inFolder.length === 0) return null;
  return `${config.dataFolder} is not empty. A backup is restored into a fresh data folder only: set CORPRAIL_DATA_DIR to a new one.`;
}

/** Another process has used the target meanwhile. */
export class NotFresh extends Error {}

/** Checks again with the tables locked, so that no other process can interfere before the rows are written. */
export async function refuseUsed(tx: Transaction): Promise<void> {
  await tx`lock table installation, accounts in access exclusive mode`;
  const used = await tx`select 1 from installation union all (select 1 from accounts limit 1)`;
  if (used.length > 0)
    throw new NotFresh("The database is not empty any more: somebody started a service on it meanwhile. Nothing was changed.");
}

/** Removes the files of a failed restore from a folder that was empty before. False if another process now holds it. */
export async function clearFolder({ config }: CommandContext): Promise<boolean> {
  if (config.databaseUrl !== null || !existsSync(config.dataFolder)) return true;
  const lock = await tryLockFolder(config.dataFolder);
  if (lock === null) return false;
  try {
    for (const name of await namesIn(config.dataFolder))
      await rm(join(config.dataFolder, name), { recursive: true, force: true, maxRetries: 5 });
    return true;
  } finally {
    await lock.release();
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  // A new volume contains lost+found.
  return existsSync(folder) ? (await readdir(folder)).filter((name) => name !== "lost+found") : [];
}

// A restore that was interrupted before its first migration leaves an empty schema_migrations table.
async function isBegun(sql: Sql, tables: readonly { readonly name: string }[]): Promise<boolean> {
  if (tables.some(({ name }) => name !== "schema_migrations")) return false;
  return (await sql`select from schema_migrations limit 1`).length === 0;
}

// A migrated but unused database counts as empty, so that an interrupted restore can be repeated.
export async function databaseFault(url: string, header: Header, which: string): Promise<string | null> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const tables = await sql<{ name: string }[]>`select tablename::text as name from pg_tables where schemaname = 'public'`;
    if (tables.length === 0 || (await isBegun(sql, tables))) return null;
    const isOurs = tables.some(({ name }) => name === "schema_migrations") && tables.some(({ name }) => name === "installation");
    const used = isOurs ? await sql`select 1 from installation union all (select 1 from accounts limit 1)` : [1];
    if (used.length > 0) return `The database ${which} is not empty. A backup is restored into an empty one only.`;
    const [newest] = await sql<{ version: number }[]>`select coalesce(max(version), 0) as version from schema_migrations`;
    const most = Math.max(0, ...header.migrations.map((migration) => migration.version));
    if ((newest?.version ?? 0) > most) return `The database ${which} has newer migrations than the backup: name an empty one.`;
    return null;
  } finally {
    await close();
  }
}
