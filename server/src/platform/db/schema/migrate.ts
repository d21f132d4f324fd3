import { connect, type Sql, type Transaction } from "../connection.ts";
import { makePartitions } from "../partitions/make-partitions.ts";
import { buildIndex, readIndexStatement } from "../upgrade/build-index.ts";
import { type AppliedVersion, incompatibility, missingFrom, newerThanKnown } from "../upgrade/compatibility.ts";
import { runInSteps, takeLock } from "../upgrade/lock-politely.ts";
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

export type MigrateOptions = {
  /** Also applies contracting migrations, after which older versions of the program cannot run. */
  readonly contract?: boolean;
  /** Refuses a database of a newer version even if this program can work with it. */
  readonly refuseNewer?: boolean;
  readonly onStep?: (text: string) => void;
};

/** Migrates the database to this program's schema. Migrations only go forward. */
export async function migrate(url: string, folder = SCHEMA_FOLDER, options: MigrateOptions = {}): Promise<Migrated> {
  return await applyMigrations(url, await readMigrations(folder), options);
}

/** Applies the given migrations only, for example those of an earlier version. */
export async function applyMigrations(url: string, migrations: readonly Migration[], options: MigrateOptions = {}): Promise<Migrated> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    await refuseOldServer(sql);
    await takeLock(sql, LOCK);
    return await applyMissing(sql, migrations, options);
  } finally {
    await close();
  }
}

/** Whether the database has every migration that this program needs. */
export async function isMigrated(sql: Sql, folder = SCHEMA_FOLDER): Promise<boolean> {
  return missingFrom(await readApplied(sql), await readMigrations(folder), false).length === 0;
}

export async function readApplied(sql: Sql): Promise<readonly AppliedVersion[]> {
  return await sql<AppliedVersion[]>`select version, name, checksum, needs from schema_migrations order by version`;
}

/** True for the versions recorded by a development version from before the first release. */
export function isDevelopmentVersion(applied: readonly Pick<AppliedVersion, "version" | "name">[]): boolean {
  return applied.some(({ version, name }) => version === FIRST_VERSION.version && name !== FIRST_VERSION.name);
}

async function applyMissing(sql: Sql, migrations: readonly Migration[], options: MigrateOptions): Promise<Migrated> {
  await sql`
    create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now(),
      needs integer
    )`;
  const recorded = await sql<{ version: number; name: string }[]>`select version, name from schema_migrations`;
  if (isDevelopmentVersion(recorded))
    throw new Error(
      `The database ${DEVELOPMENT_VERSION} Start with a new data folder (CORPRAIL_DATA_DIR) or an empty database (CORPRAIL_DATABASE_URL).`,
    );
  const done = await readApplied(sql);
  const newer = newerThanKnown(done, migrations);
  const against = incompatibility(done, migrations) ?? (options.refuseNewer ? newerText(newer) : null);
  if (against !== null) throw new Error(against);
  const role = await prepareRole(sql);
  const missing = missingFrom(done, migrations, options.contract === true);
  for (const migration of missing) await applyOne(sql, migration, role, options.onStep ?? (() => {}));
  // A background job makes the later ones, but moves few rows, because that holds up writers.
  await makePartitions(sql, Date.now(), MAX_MOVED_ROWS);
  // Also if no migration was missing, because the URL's user may have changed. The newer version knows tables that this one
  // does not, and has stated their privileges.
  if (newer.length === 0) await sql.begin((tx) => grantPrivileges(tx, role));
  return { role, applied: missing.map((migration) => migration.name) };
}

function newerText([first]: readonly AppliedVersion[]): string | null {
  if (!first) return null;
  return `The database has migration ${first.version} (${first.name}), which this version of Corprail does not know: use the newer version.`;
}

async function applyOne(sql: Sql, migration: Migration, role: string | null, onStep: (text: string) => void): Promise<void> {
  onStep(`${migration.version} ${migration.name} (${migration.phase})`);
  if (migration.phase === "index") {
    await buildIndex(sql, readIndexStatement(migration.sql), onStep);
    await sql.begin((tx) => record(tx, migration));
    return;
  }
  await runInSteps(sql, async (tx) => {
    if (role === null) await takeRightsBack(tx);
    await tx.unsafe(migration.sql);
    await record(tx, migration);
  });
}

async function record(tx: Transaction, { version, name, checksum, needs }: Migration): Promise<void> {
  await tx`insert into schema_migrations (version, name, checksum, needs) values (${version}, ${name}, ${checksum}, ${needs})`;
}

async function refuseOldServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`;
  if (row && row.number < OLDEST_SERVER) throw new Error(`PostgreSQL 15 or later is required; this is ${row.version}.`);
}
