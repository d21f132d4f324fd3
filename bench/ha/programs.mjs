import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"];
const POSTGRES_FOLDER = "/usr/lib/postgresql";

/**
 * The programs of the distribution that the run needs. It names every one that is missing.
 *
 * @returns {{ etcd: string, patroni: string, haproxy: string, postgresFolder: string, user: { uid?: number, gid?: number } }}
 */
export function findPrograms() {
  const found = Object.fromEntries(["etcd", "patroni", "haproxy"].map((name) => [name, findProgram(name)]));
  const postgresFolder = newestPostgres();
  const missing = Object.entries({ ...found, postgresql: postgresFolder }).flatMap(([name, path]) => (path === null ? [name] : []));
  if (missing.length > 0)
    throw new Error(
      `Not installed: ${missing.join(", ")}. On Debian and Ubuntu: apt-get install postgresql patroni etcd-server haproxy. ` +
        "Their own services need not run.",
    );
  return { ...found, postgresFolder, user: serverUser() };
}

function findProgram(name) {
  return FOLDERS.map((folder) => join(folder, name)).find(existsSync) ?? null;
}

function newestPostgres() {
  if (!existsSync(POSTGRES_FOLDER)) return null;
  const versions = readdirSync(POSTGRES_FOLDER).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(POSTGRES_FOLDER, version, "bin")).find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** PostgreSQL refuses to run as root. */
function serverUser() {
  if (process.getuid() !== 0) return {};
  const id = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
