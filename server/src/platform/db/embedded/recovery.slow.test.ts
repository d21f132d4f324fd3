import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { postmasterPid, serversIn } from "./stop-servers.ts";
import {
  clusterIn,
  endProcess,
  holderOf,
  isRoot,
  readNotes,
  serversGone,
  startedIn,
  temporaryFolder,
  waitUntil,
  writeNote,
} from "./testing/helpers.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const lockFile = (folder: string) => join(clusterIn(folder), "postmaster.pid");

function postmasterOf(folder: string): number {
  const pid = postmasterPid(clusterIn(folder));
  if (pid === null) throw new Error("no postmaster.pid");
  return pid;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

test("after kill -9 of the service PostgreSQL stops, and no committed data is lost", async () => {
  const folder = temporaryFolder();
  const holder = await holderOf(folder);
  await writeNote(holder.url, "committed");
  await endProcess(holder.process, "SIGKILL");
  await serversGone(folder);
  expect(await readNotes((await startedIn(folder)).url)).toEqual(["committed"]);
});

test("a start right after kill -9 succeeds although the old PostgreSQL is still stopping", async () => {
  const folder = temporaryFolder();
  for (const text of ["a", "b", "c"]) {
    const holder = await holderOf(folder);
    await writeNote(holder.url, text);
    await endProcess(holder.process, "SIGKILL");
  }
  expect(await readNotes((await startedIn(folder)).url)).toEqual(["a", "b", "c"]);
});

test("a postmaster killed with -9 is restarted at the same address with all committed data", async () => {
  const folder = temporaryFolder();
  const database = await startedIn(folder);
  await writeNote(database.url, "committed");
  await killPostmaster(folder);
  expect(await readNotes(database.url)).toEqual(["committed"]);
  await database.stop();
  expect(serversIn(clusterIn(folder))).toEqual([]);
});

test("a postmaster that keeps being killed is given up, and the service is notified", async () => {
  const folder = temporaryFolder();
  const database = await startedIn(folder);
  for (let times = 0; times < 5; times++) await killPostmaster(folder);
  process.kill(postmasterOf(folder), "SIGKILL");
  expect(await database.died).toMatch(/PostgreSQL exited \(exit code 137\)/);
  await database.stop();
  expect(serversIn(clusterIn(folder))).toEqual([]);
});

/** Kills the postmaster and waits for the next one to take connections. */
async function killPostmaster(folder: string): Promise<void> {
  const before = postmasterOf(folder);
  process.kill(before, "SIGKILL");
  await waitUntil("another postmaster is ready", () => {
    const [pid, , , , , , , state] = existsSync(lockFile(folder)) ? readFileSync(lockFile(folder), "utf8").split("\n") : [];
    return pid !== undefined && Number(pid) !== before && state?.trim() === "ready";
  });
}

test("service, guardian and postmaster killed with -9 at once, a backend still busy: the next start recovers", async () => {
  const folder = temporaryFolder();
  const holder = await holderOf(folder);
  await writeNote(holder.url, "committed");
  const busy = postgres(holder.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => busy.end({ timeout: 0 }));
  busy`select count(*) from generate_series(1, 100000000000)`.catch(() => {});
  await busyBackend(folder, holder.url);
  const postmaster = postmasterOf(folder);
  for (const pid of [holder.pid, parentOf(postmaster), postmaster]) process.kill(pid, "SIGKILL");
  await waitUntil("the holder is gone", () => holder.process.signalCode !== null);
  expect(await readNotes((await startedIn(folder)).url)).toEqual(["committed"]);
});

async function busyBackend(folder: string, url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  const seen = async () =>
    (await sql`select 1 from pg_stat_activity where query like '%generate_series%' and pid <> pg_backend_pid()`).length > 0;
  while (!(await seen())) expect(serversIn(clusterIn(folder))).not.toEqual([]);
  await sql.end();
}

test("when only the guardian is killed, PostgreSQL is not left running", async () => {
  const folder = temporaryFolder();
  const database = await startedIn(folder);
  await writeNote(database.url, "committed");
  const before = postmasterOf(folder);
  process.kill(parentOf(before), "SIGKILL");
  await waitUntil("another postmaster is there", () => existsSync(lockFile(folder)) && !serversIn(clusterIn(folder)).includes(before));
  await database.stop();
  expect(serversIn(clusterIn(folder))).toEqual([]);
});

test("signals to the terminal's process group do not reach PostgreSQL", async () => {
  const folder = temporaryFolder();
  const database = await startedIn(folder);
  const guardian = parentOf(postmasterOf(folder));
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.kill(guardian, signal);
  const session = Number(readFileSync(`/proc/${guardian}/stat`, "utf8").split(" ")[5]);
  expect(session).toBe(guardian);
  await writeNote(database.url, "alive");
  expect(await readNotes(database.url)).toEqual(["alive"]);
});

test("a postmaster.pid whose process id now belongs to another process does not prevent a start", async () => {
  const folder = temporaryFolder();
  const first = await startedIn(folder);
  const pidFile = readFileSync(lockFile(folder), "utf8");
  const { uid, gid } = processOwner(postmasterOf(folder));
  await first.stop();
  const stranger = spawn("sleep", ["60"], { stdio: "ignore", ...(isRoot ? { uid, gid } : {}) });
  onTestFinished(() => endProcess(stranger));
  writeFileSync(lockFile(folder), pidFile.replace(/^\d+/, String(stranger.pid)));
  await startedIn(folder);
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
});

function processOwner(pid: number): { uid: number; gid: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const first = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  return { uid: first("Uid"), gid: first("Gid") };
}

test("the address file of a killed run is removed before the next run is ready", async () => {
  const folder = temporaryFolder();
  const holder = await holderOf(folder);
  await endProcess(holder.process, "SIGKILL");
  expect(existsSync(join(folder, "database-url"))).toBe(true);
  const database = await startedIn(folder);
  expect(readFileSync(join(folder, "database-url"), "utf8").trim()).toBe(database.url);
});
