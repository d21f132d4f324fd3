import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { connect, type Sql, type Transaction } from "./connection.ts";
import { grantPrivileges, prepareRole, takeRightsBack } from "./privileges.ts";

const FOLDER = fileURLToPath(new URL("../../../migrations/", import.meta.url));
const FILE_NAME = /^([0-9]{4})_([a-z0-9_]+)\.sql$/;
// Only one process migrates a database at a time.
const LOCK = 7_236_154_201;
const OLDEST_SERVER = 150_000;

export type Migration = { readonly version: number; readonly name: string; readonly sql: string; readonly checksum: string };

export type Migrated = {
  /** The role of the application's sessions. */
  readonly role: string | null;
  readonly applied: readonly string[];
};

/** Migrates the database to this program's schema. Migrations only go forward. */
export async function migrate(url: string, folder = FOLDER): Promise<Migrated> {
  return await applyMigrations(url, await readMigrations(folder));
}

/** Applies the given migrations only, for example those of an earlier version. */
export async function applyMigrations(url: string, migrations: readonly Migration[]): Promise<Migrated> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    await refuseOldServer(sql);
    await sql`select pg_advisory_lock(${LOCK})`;
    return await applyMissing(sql, migrations);
  } finally {
    await close();
  }
}

/** Whether the database has every migration that this program knows. */
export async function isMigrated(sql: Sql, folder = FOLDER): Promise<boolean> {
  const known = await readMigrations(folder);
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from schema_migrations`;
  return (row?.count ?? 0) >= known.length;
}

async function applyMissing(sql: Sql, migrations: readonly Migration[]): Promise<Migrated> {
  await sql`
    create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now()
    )`;
  const done = await sql<{ version: number; name: string; checksum: string }[]>`
    select version, name, checksum from schema_migrations order by version`;
  for (const row of done) refuseForeign(row, migrations);
  const role = await prepareRole(sql);
  const missing = migrations.filter((migration) => !done.some((row) => row.version === migration.version));
  for (const migration of missing) {
    await sql.begin(async (tx) => {
      if (role === null) await takeRightsBack(tx);
      await apply(tx, migration);
    });
  }
  // Also if no migration was missing, because the URL's user may have changed.
  await sql.begin((tx) => grantPrivileges(tx, role));
  return { role, applied: missing.map((migration) => migration.name) };
}

async function apply(tx: Transaction, migration: Migration): Promise<void> {
  await tx.unsafe(migration.sql);
  await tx`insert into schema_migrations (version, name, checksum) values (${migration.version}, ${migration.name}, ${migration.checksum})`;
}

function refuseForeign(row: { version: number; name: string; checksum: string }, migrations: readonly Migration[]): void {
  const ours = migrations.find((migration) => migration.version === row.version);
  if (!ours)
    throw new Error(
      `The database has migration ${row.version} (${row.name}), which this version of Corprail does not know: start the newer version again.`,
    );
  if (ours.checksum !== row.checksum)
    throw new Error(`Migration ${row.version} (${row.name}) differs from the one applied to this database: restore its original file.`);
}

async function refuseOldServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`;
  if (row && row.number < OLDEST_SERVER) throw new Error(`PostgreSQL 15 or later is required; this is ${row.version}.`);
}

/** Reads the migrations of this program in order. */
export async function readMigrations(folder = FOLDER): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(names.map((name) => readMigration(folder, name)));
}

async function readMigration(folder: string, fileName: string): Promise<Migration> {
  const match = FILE_NAME.exec(fileName);
  if (!match) throw new Error(`Migration files must be named NNNN_words.sql; found ${fileName}.`);
  const sql = await readFile(`${folder}/${fileName}`, "utf8");
  return { version: Number(match[1]), name: match[2] ?? "", sql, checksum: createHash("sha256").update(sql).digest("hex") };
}
