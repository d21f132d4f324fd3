import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../platform/db/embedded/start-embedded.ts";
import { migrate } from "../platform/db/schema/migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the test run's PostgreSQL, with a user that owns everything. */
    readonly databaseUrl: string;
    readonly templateDatabase: string;
  }
}

const TEMPLATE = "corprail_template";
// This database need not survive a crash. Tests about durability start a separate PostgreSQL.
const SETTINGS = {
  max_connections: "300",
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  autovacuum: "off",
  // Little log of changes is kept, because it is kept in memory.
  max_wal_size: "256MB",
  min_wal_size: "80MB",
};
// On Linux these files are in memory, where copying and dropping a database costs less CPU than on a disk, and always the same.
const MEMORY_FOLDER = "/dev/shm";
const NEEDED_BYTES = 2 * 1024 ** 3;
const quiet = { info: () => {}, warn: () => {} };

/** Starts one PostgreSQL per test run, with a migrated template from which each test's database is copied. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataFolder = await mkdtemp(join((await hasMemoryFolder()) ? MEMORY_FOLDER : tmpdir(), "corprail-tests-"));
  const database = await startEmbedded({ dataFolder, log: quiet, settings: SETTINGS });
  const stop = async () => {
    await database.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(database.url);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("databaseUrl", database.url);
  project.provide("templateDatabase", TEMPLATE);
  return stop;
}

// Containers often have 64 MB of it, and other systems have none.
async function hasMemoryFolder(): Promise<boolean> {
  const room = await statfs(MEMORY_FOLDER).catch(() => null);
  return room !== null && room.bavail * room.bsize >= NEEDED_BYTES;
}

async function makeTemplate(ownerUrl: string): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  // Every connection of a test proves the password; hashing it 4,096 times is a third of what a connection costs.
  await sql.unsafe("set scram_iterations = 1");
  await sql.unsafe(`alter role current_user password '${decodeURIComponent(new URL(ownerUrl).password)}'`);
  await sql.unsafe(`create database ${TEMPLATE}`);
  await sql.end();
  const url = new URL(ownerUrl);
  url.pathname = `/${TEMPLATE}`;
  await migrate(url.href);
}
