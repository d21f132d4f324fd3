import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres, { type Sql } from "postgres";
import { onTestFinished } from "vitest";
import { type EmbeddedDatabase, startEmbedded } from "../start-embedded.ts";
import { killServersIn, serversIn } from "../stop-servers.ts";

export const isRoot = process.getuid?.() === 0;
export const quietLog = { info: () => {}, warn: () => {} };

const BUILT = fileURLToPath(new URL("../../../../../dist/platform/db/embedded/start-embedded.js", import.meta.url));
const KERNEL_GIVES_UP_SECONDS = 20;

/** Creates a folder that is removed after the test, together with any PostgreSQL that still runs in it. */
export function temporaryFolder(name = "corprail-embedded-"): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  onTestFinished(async () => {
    await killServersIn(join(folder, "postgres"));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

export async function waitUntil(what: string, check: () => boolean, seconds = KERNEL_GIVES_UP_SECONDS): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!check()) {
    if (performance.now() > deadline) throw new Error(`not true after ${seconds} s: ${what}`);
    await delay(20);
  }
}

export async function startedIn(dataFolder: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataFolder, log: quietLog, settings: { shared_buffers: "16MB" } });
  onTestFinished(() => database.stop());
  return database;
}

export async function withSql<T>(url: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}

export async function writeNote(url: string, text: string): Promise<void> {
  await withSql(url, async (sql) => {
    await sql`create table if not exists note (text text not null)`;
    await sql`insert into note (text) values (${text})`;
  });
}

export async function readNotes(url: string): Promise<string[]> {
  return withSql(url, async (sql) => (await sql<{ text: string }[]>`select text from note order by text`).map((row) => row.text));
}

const CHILD = `
  const [, built, dataFolder, address] = process.argv;
  const { startEmbedded } = await import(built);
  const database = await startEmbedded({ dataFolder, address, log: { info() {}, warn() {} }, settings: { shared_buffers: "16MB" } });
  process.on("SIGTERM", () => {
    database.stopping();
    database.stop().then(() => process.exit(0));
  });
  console.log(database.url);
`;

export type Holder = { readonly process: ChildProcess; readonly pid: number; readonly url: string };

/** Starts another process, from the built code, that holds the folder. */
export async function holderOf(dataFolder: string, user: { uid?: number; gid?: number } = {}): Promise<Holder> {
  if (!existsSync(BUILT)) throw new Error(`${BUILT} is missing: run npm run build before the tests`);
  const script = ["--input-type=module", "--eval", CHILD, "--", BUILT, dataFolder, "http://127.0.0.1:8080"];
  const child = spawn(process.execPath, script, { stdio: ["ignore", "pipe", "pipe"], cwd: "/", ...user });
  onTestFinished(() => endProcess(child));
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("close", () => reject(new Error(`the holder ended: ${complaint}`)));
  });
  return { process: child, pid: child.pid ?? 0, url };
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

export const clusterIn = (dataFolder: string): string => join(dataFolder, "postgres");

export async function serversGone(dataFolder: string): Promise<void> {
  await waitUntil("no PostgreSQL works in the cluster", () => serversIn(clusterIn(dataFolder)).length === 0);
}
