import { accessSync, constants, realpathSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import postgres from "postgres";
import { makeFolder } from "../../core/make-folder.ts";
import { EmbeddedDatabaseError, errorCode, errorText } from "./failures.ts";
import { type Hold, holdFolder } from "./hold-folder.ts";
import { type ClusterLocation, prepareCluster } from "./make-cluster.ts";
import { writePrivateFile } from "./private-file.ts";
import { findPrograms } from "./programs.ts";
import type { Log } from "./run-server.ts";
import { chooseServerUser } from "./server-user.ts";
import { startServer } from "./start-server.ts";
import { type SupervisedServer, superviseServer } from "./supervise-server.ts";

export type EmbeddedDatabase = {
  readonly url: string;
  /** Must be called first when the service stops. The next start then waits instead of refusing. */
  readonly stopping: () => void;
  readonly stop: () => Promise<void>;
  /** Resolves with the last output if PostgreSQL keeps exiting and is given up. `stop` must still be called. */
  readonly died: Promise<string>;
  /** Why PostgreSQL is not running; null while it runs. */
  readonly trouble: () => string | null;
};

export type EmbeddedOptions = {
  readonly dataFolder: string;
  readonly log: Log;
  /** The service's address, shown to a second start on the same folder. */
  readonly address?: string;
  /** Additional `-c` settings, for tests and benchmarks. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when a program of PostgreSQL was launched, and this process only waits for it. */
  readonly onLaunch?: () => void;
};

const urlFile = (dataFolder: string): string => join(dataFolder, "database-url");

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataFolder = prepareDataFolder(options.dataFolder);
  const hold = await holdFolder(dataFolder, options.address ?? null);
  try {
    // A file left by a killed run names a port that is no longer valid.
    rmSync(urlFile(dataFolder), { force: true });
    return await startHeld(dataFolder, hold, options);
  } catch (error) {
    await hold.release();
    throw error;
  }
}

async function startHeld(dataFolder: string, hold: Hold, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster = join(dataFolder, "postgres");
  const location: ClusterLocation = { dataFolder, cluster, user: chooseServerUser(dataFolder, cluster), onLaunch: options.onLaunch };
  const programs = await findPrograms(location.user, dataFolder);
  const password = await prepareCluster(location, programs);
  const { port, server } = await startServer(location, programs, options.settings ?? {}, options.log);
  const address = (database: string) => `postgres://corprail:${password}@127.0.0.1:${port}/${database}`;
  try {
    await createDatabase(address("postgres"));
    writePrivateFile(urlFile(dataFolder), `${address("corprail")}\n`);
  } catch (error) {
    await server.stop();
    throw new EmbeddedDatabaseError(`The embedded PostgreSQL in ${cluster} started but could not be used: ${errorText(error)}`);
  }
  options.log.info({ cluster, port, version: programs.version, user: location.user?.name ?? "current user" }, "embedded PostgreSQL ready");
  const supervised = superviseServer(server, options.log, async () => {
    // On the same port, so that existing addresses stay valid.
    return (await startServer(location, programs, options.settings ?? {}, options.log, async () => port)).server;
  });
  return { url: address("corprail"), ...lifecycleControls(supervised, hold, dataFolder) };
}

function lifecycleControls(supervised: SupervisedServer, hold: Hold, dataFolder: string): Omit<EmbeddedDatabase, "url"> {
  let stopped: Promise<void> | null = null;
  const stop = async () => {
    hold.markStopping();
    await supervised.stop();
    rmSync(urlFile(dataFolder), { force: true });
    await hold.release();
  };
  return {
    died: supervised.gaveUp,
    trouble: supervised.trouble,
    stopping: hold.markStopping,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

// Checked at every start, because a run may have been killed after creating the cluster and before this.
async function createDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, ssl: false, fetch_types: false, connect_timeout: 30, onnotice: () => {} });
  try {
    const found = await sql`select datname from pg_catalog.pg_database where datname = 'corprail'`;
    if (found.length === 0) await sql`create database corprail`;
  } catch (error) {
    if (errorCode(error) === "28P01") throw new Error("the password in database-password is not the cluster's");
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Returns the folder's real path. Creates it with mode 0700 if it is missing; an existing folder is not changed. */
function prepareDataFolder(path: string): string {
  const wanted = resolve(path);
  try {
    makeFolder(wanted, 0o700);
    const folder = realpathSync(wanted);
    if (!statSync(folder).isDirectory()) throw new Error("it is not a folder");
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The data folder ${wanted} cannot be used: ${errorText(error)}. Set CORPRAIL_DATA_DIR to a folder this user may write.`,
    );
  }
}
