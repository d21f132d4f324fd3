import { connect, type Sql, type Transaction } from "./connection.ts";
import { makePartitions } from "./partitions/make-partitions.ts";
import { grantPrivileges, prepareRole, takeRightsBack } from "./privileges.ts";
import { FIRST_VERSION, type Migration, readMigrations, SCHEMA_FOLDER } from "./read-schema.ts";

// Only one process migrates a database at a time.
const LOCK = 7_236_154_201;
const MAX_MOVED_ROWS = 1_000_000_000;
const OLDEST_SERVER = 150_000;

/** What an operator of a database or backup that an earlier development version made has to know. */
export const DEVELOPMENT_VERSION =
  "was made by a development version of Corprail from before the first release, whose schema this version cannot read. " +
  "It cannot be converted, and backups made by that version cannot be restored here.";

export type Migrated = {
  /** The role of the application's sessions. */
  readonly role: string | null;
  readonly applied: readonly string[];
};

type AppliedVersion = { readonly version: number; readonly name: string; readonly checksum: string };

/** Migrates the database to this program's schema. Migrations only go forward. */
export async function migrate(url: string, folder = SCHEMA_FOLDER): Promise<Migrated> {
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
export async function isMigrated(sql: Sql, folder = SCHEMA_FOLDER): Promise<boolean> {
  const known = await readMigrations(folder);
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from schema_migrations`;
  return (row?.count ?? 0) >= known.length;
}

/** True for the versions recorded by a development version from before the first release. */
export function isDevelopmentVersion(applied: readonly Pick<AppliedVersion, "version" | "name">[]): boolean {
  return applied.some(({ version, name }) => version === FIRST_VERSION.version && name !== FIRST_VERSION.name);
}

async function applyMissing(sql: Sql, migrations: readonly Migration[]): Promise<Migrated> {
  await sql`
    create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now()
    )`;
  const done = await sql<AppliedVersion[]>`select version, name, checksum from schema_migrations order by version`;
  if (isDevelopmentVersion(done))
    throw new Error(
      `The database ${DEVELOPMENT_VERSION} Start with a new data folder (CORPRAIL_DATA_DIR) or an empty database (CORPRAIL_DATABASE_URL).`,
    );
  for (const row of done) refuseForeign(row, migrations);
  const role = await prepareRole(sql);
  const missing = migrations.filter((migration) => !done.some((row) => row.version === migration.version));
  for (const migration of missing) {
    await sql.begin(async (tx) => {
      if (role === null) await takeRightsBack(tx);
      await apply(tx, migration);
    });
  }
  // A background job makes the later ones, but moves few rows, because that holds up writers.
  await makePartitions(sql, Date.now(), MAX_MOVED_ROWS);
  // Also if no migration was missing, because the URL's user may have changed.
  await sql.begin((tx) => grantPrivileges(tx, role));
  return { role, applied: missing.map((migration) => migration.name) };
}

async function apply(tx: Transaction, migration: Migration): Promise<void> {
  await tx.unsafe(migration.sql);
  await tx`insert into schema_migrations (version, name, checksum) values (${migration.version}, ${migration.name}, ${migration.checksum})`;
}

function refuseForeign(row: AppliedVersion, migrations: readonly Migration[]): void {
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
