import type { CellAddress } from "../domain/cells/cell.ts";
import { connect, type Database, type Sql } from "../platform/db/connection.ts";
import type { EmbeddedDatabase } from "../platform/db/embedded/start-embedded.ts";
import { poolSize } from "../platform/db/pool-size.ts";
import { migrate } from "../platform/db/schema/migrate.ts";
import { type DatabaseHealth, watchHealth } from "../platform/db/servers/health.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Config } from "../settings/config.ts";
import type { EarlyDatabase } from "./early-database.ts";

const CONNECTIONS = { alone: 10, least: 5 };

export type ConnectedDatabase = Pick<Database, "sql" | "close"> & {
  readonly url: string;
  readonly role: string | null;
  /** Runs work on a connection of its own as the tables' owner, for partitions: the application's role cannot change them. */
  readonly asOwner: <Result>(work: (owner: Sql) => Promise<Result>) => Promise<Result>;
  /** Must be called first when the service stops. */
  readonly stopping: () => void;
  /** Resolves with the reason if the embedded PostgreSQL exits unexpectedly. */
  readonly died: Promise<string>;
  readonly health: DatabaseHealth;
  /** Each batch writer adds a function that returns for how long its commits have been blocked. */
  readonly stalls: (() => number)[];
};

/** Connects to a migrated database: the configured one, or an embedded PostgreSQL. */
export async function connectDatabase(config: Config, log: Log, early: EarlyDatabase | null): Promise<ConnectedDatabase> {
  const embedded = (await early?.start()) ?? null;
  try {
    return await connectMigrated(embedded?.url ?? config.databaseUrl ?? "", embedded, log, poolSize(CONNECTIONS, config.processes));
  } catch (error) {
    await embedded?.stop();
    if (config.databaseUrl === null) throw error;
    // The driver's message does not say which setting was wrong.
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The database of CORPRAIL_DATABASE_URL cannot be used: ${why}`, { cause: error });
  }
}

/** Connects to the migrated database of a cell beside home. */
export async function connectCell(
  { processes }: Pick<Config, "processes">,
  { cell, url }: CellAddress,
  log: Log,
): Promise<ConnectedDatabase> {
  try {
    return await connectMigrated(url, null, log, poolSize(CONNECTIONS, processes));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw Object.assign(
      new Error(`The database of cell ${cell} in CORPRAIL_CELLS cannot be used: ${why}`, { cause: error }),
      codeOf(error),
    );
  }
}

/** Kept, so that an outage can be distinguished from a wrong setting. */
function codeOf(error: unknown): { readonly code?: unknown } {
  return typeof error === "object" && error !== null && "code" in error ? { code: error.code } : {};
}

async function connectMigrated(url: string, embedded: EmbeddedDatabase | null, log: Log, connections: number): Promise<ConnectedDatabase> {
  const { role, applied } = await migrate(url);
  if (applied.length > 0) log.info({ applied }, "database migrated");
  if (role === null) log.warn({}, "database user cannot create roles: its own permission to change history was revoked instead");
  const database = connect({ url, connections, role, purpose: "requests" });
  const stalls: (() => number)[] = [];
  const health = watchHealth({
    url,
    role,
    log,
    embeddedTrouble: () => embedded?.trouble() ?? null,
    stalledMilliseconds: () => Math.max(0, ...stalls.map((stalled) => stalled())),
  });
  return {
    url,
    role,
    asOwner: (work) => runAsOwner(url, work),
    sql: database.sql,
    stopping: () => embedded?.stopping(),
    died: embedded?.died ?? new Promise(() => {}),
    health,
    stalls,
    close: async () => {
      await health.close();
      await database.close();
      await embedded?.stop();
    },
  };
}

async function runAsOwner<Result>(url: string, work: (owner: Sql) => Promise<Result>): Promise<Result> {
  const { sql, close } = connect({ url, connections: 1, role: null, purpose: "long work" });
  try {
    return await work(sql);
  } finally {
    await close();
  }
}
