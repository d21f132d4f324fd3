import type { Sql } from "../connection.ts";
import { readMigrations } from "../schema/read-schema.ts";

export type AppliedMigration = { readonly version: number; readonly name: string; readonly appliedAt: Date };

/** The state of the PostgreSQL server, for the system page. */
export type DatabaseServerStatus = {
  readonly version: string;
  readonly sizeBytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  /** Only of this service's own user; PostgreSQL hides the others. */
  readonly oldestTransactionSeconds: number | null;
  /** Newest first. */
  readonly migrations: readonly AppliedMigration[];
  /** Migrations of this program that the database does not have. */
  readonly missingMigrations: readonly string[];
};

export async function readServerStatus(sql: Sql): Promise<DatabaseServerStatus> {
  const [known, applied, [server], sessions] = await Promise.all([
    readMigrations(),
    sql<AppliedMigration[]>`select version, name, applied_at as "appliedAt" from schema_migrations order by version desc`,
    sql<{ version: string; size: bigint; most: number }[]>`
      select current_setting('server_version') as version, pg_database_size(current_database())::bigint as size,
        current_setting('max_connections')::int as most`,
    readSessions(sql),
  ]);
  const has = new Set(applied.map((migration) => migration.version));
  return {
    version: server?.version ?? "",
    sizeBytes: Number(server?.size ?? 0n),
    connections: sessions.connections,
    maxConnections: server?.most ?? 0,
    oldestTransactionSeconds: sessions.oldest,
    migrations: applied,
    missingMigrations: known.filter((migration) => !has.has(migration.version)).map((migration) => migration.name),
  };
}

/** Reads the sessions as the URL's user, because PostgreSQL hides them from the application's role. */
async function readSessions(sql: Sql): Promise<{ readonly connections: number; readonly oldest: number | null }> {
  return await sql.begin("read only", async (tx) => {
    await tx`set local role none`;
    const [row] = await tx<{ connections: number; oldest: number | null }[]>`
      select count(*)::int as connections,
        max(date_part('epoch', clock_timestamp() - xact_start)) filter (where pid <> pg_backend_pid() and datname = current_database()) as oldest
      from pg_stat_activity where backend_type = 'client backend' or backend_type is null`;
    return row ?? { connections: 0, oldest: null };
  });
}
