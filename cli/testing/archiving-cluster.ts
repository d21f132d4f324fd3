import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { chooseServerUser, giveTo } from "../../server/src/platform/db/embedded/server-user.ts";
import { freePort } from "../../server/src/platform/db/embedded/start-server.ts";

/** The programs of the machine's own PostgreSQL, as a platform with a WAL archive has them; undefined if there are none. */
export const POSTGRES_BIN = ["18", "17", "16", "15"]
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((folder) => existsSync(folder));

export type ArchivingCluster = {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly data: string;
  /** The folder for archived WAL. */
  readonly wal: string;
  /** Runs a program as the server's user: one of PostgreSQL, or another one on the path. */
  readonly tool: (name: string, ...words: readonly string[]) => string;
};

/** A PostgreSQL with a WAL archive, made with the plain programs. `archiveCommand` gets the cluster's folder. */
export async function startArchivingCluster(
  archiveCommand = (folder: string) => `cp %p ${join(folder, "wal")}/%f`,
): Promise<ArchivingCluster> {
  const folder = mkdtempSync(join(tmpdir(), "corprail-archive-"));
  const [data, wal] = [join(folder, "data"), join(folder, "wal")];
  mkdirSync(wal);
  writeFileSync(join(folder, "password"), "sh-password\n");
  const user = chooseServerUser(folder, data);
  if (user !== null) giveTo(user, folder);
  chmodSync(folder, 0o755);
  const as = user === null ? {} : { uid: user.uid, gid: user.gid };
  const env = { PATH: `${POSTGRES_BIN}:${process.env["PATH"] ?? ""}`, PGPASSWORD: "sh-password", LC_ALL: "C" };
  const tool = (name: string, ...words: readonly string[]) => execFileSync(name, words, { ...as, cwd: folder, env, encoding: "utf8" });
  tool("initdb", "-D", data, "-U", "corprail", "-A", "scram-sha-256", `--pwfile=${join(folder, "password")}`);
  const port = await freePort();
  const settings = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    archive_mode: "on",
    archive_command: archiveCommand(folder),
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn("postgres", ["-D", data, ...words], { ...as, cwd: folder, env, stdio: "ignore" });
  const ended = new Promise((done) => server.once("close", done));
  onTestFinished(async () => {
    server.kill("SIGQUIT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => succeeds(() => tool("pg_isready", "-h", "127.0.0.1", "-p", String(port)))).toBe(true);
  tool("createdb", "-h", "127.0.0.1", "-p", String(port), "-U", "corprail", "corprail");
  return { url: `postgres://corprail:sh-password@127.0.0.1:${port}/corprail`, port, folder, data, wal, tool };
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
