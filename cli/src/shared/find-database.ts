import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { tryLockFolder } from "@corprail/server/platform/db/embedded/folder-lock";
import { readHolder } from "@corprail/server/platform/db/embedded/hold-folder";
import { startEmbedded } from "@corprail/server/platform/db/embedded/start-embedded";
import type { CommandContext } from "./run-command.ts";

type FoundDatabase = { readonly url: string; readonly close: () => Promise<void> };

/** An "existing" database is not made when it is missing: a wrong folder must not look like an empty installation. */
export type Wanted = "existing" | "existing or new";

// A service that is starting has the folder a while before its database has an address.
const STARTING_SECONDS = 30;

/** Lends a command the address of the service's database, and puts everything back afterwards. */
export async function withDatabase<Result>(ctx: CommandContext, wanted: Wanted, use: (url: string) => Promise<Result>): Promise<Result> {
  const database = await findDatabase(ctx, wanted);
  try {
    return await use(database.url);
  } finally {
    await database.close();
  }
}

async function findDatabase(ctx: CommandContext, wanted: Wanted): Promise<FoundDatabase> {
  const { databaseUrl, dataFolder } = ctx.config;
  if (databaseUrl !== null) return borrowed(databaseUrl);
  if (wanted === "existing" && !existsSync(join(dataFolder, "postgres"))) {
    throw new Error(`There is no database in ${dataFolder}. Set CORPRAIL_DATA_DIR or CORPRAIL_DATABASE_URL as the service has it.`);
  }
  const deadline = performance.now() + STARTING_SECONDS * 1000;
  while (await isServed(dataFolder)) {
    const url = readAddress(dataFolder);
    if (url !== null) {
      ctx.note("The service is running: using its database.");
      return borrowed(url);
    }
    if (performance.now() > deadline)
      throw new Error(`A process holds ${dataFolder}, but its database has no address yet. Try again later.`);
    await delay(100);
  }
  return startForNow(ctx);
}

// One that is stopping takes its database along: the start below waits for its end.
async function isServed(dataFolder: string): Promise<boolean> {
  if (!existsSync(dataFolder)) return false;
  const lock = await tryLockFolder(dataFolder);
  await lock?.release();
  return lock === null && readHolder(dataFolder)?.state !== "stopping";
}

function readAddress(dataFolder: string): string | null {
  const file = join(dataFolder, "database-url");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

async function startForNow(ctx: CommandContext): Promise<FoundDatabase> {
  ctx.note("No service is running: starting its database for this command.");
  const log = { info: () => {}, warn: (_fields: object, message: string) => ctx.note(message) };
  const embedded = await startEmbedded({ dataFolder: ctx.config.dataFolder, log });
  return { url: embedded.url, close: embedded.stop };
}

function borrowed(url: string): FoundDatabase {
  return { url, close: async () => {} };
}
