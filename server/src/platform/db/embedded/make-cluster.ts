import { randomBytes } from "node:crypto";
import { existsSync, lchownSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedDatabaseError } from "./failures.ts";
import { syncToDisk, writePrivateFile } from "./private-file.ts";
import type { Programs } from "./programs.ts";
import { folderArgument, runProgram } from "./run-program.ts";
import { giveTo, type ServerUser } from "./server-user.ts";
import { killServersIn } from "./stop-servers.ts";

export type ClusterLocation = {
  readonly dataFolder: string;
  readonly cluster: string;
  readonly user: ServerUser;
  /** Called when initdb or the server was launched, and this process only waits for it. */
  readonly onLaunch?: (() => void) | undefined;
};

const MAKING = "postgres.making-";
const PASSWORD = /^[A-Za-z0-9_-]{43}$/;

/** Makes sure that a complete cluster exists and returns its owner's password. */
export async function prepareCluster(location: ClusterLocation, programs: Programs): Promise<string> {
  await removeHalfMade(location.dataFolder);
  if (!existsSync(location.cluster)) return makeCluster(location, programs);
  refuseStrangersCluster(location);
  if (readdirSync(location.cluster).length === 0) return makeCluster(location, programs);
  checkVersion(location.cluster, programs);
  if (location.user !== null && lstatSync(location.cluster).uid !== location.user.uid) giveTo(location.user, location.cluster);
  return readPassword(location.dataFolder) ?? lostPassword(location.dataFolder);
}

async function removeHalfMade(dataFolder: string): Promise<void> {
  for (const name of readdirSync(dataFolder).filter((entry) => entry.startsWith(MAKING))) {
    const folder = join(dataFolder, name);
    // initdb may still run after its parent was killed.
    await killServersIn(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkVersion(cluster: string, programs: Programs): void {
  const file = join(cluster, "PG_VERSION");
  if (!existsSync(file))
    throw new EmbeddedDatabaseError(
      `${cluster} contains files but no PostgreSQL cluster. Move it away, or set CORPRAIL_DATA_DIR to another folder.`,
    );
  const found = readFileSync(file, "utf8").trim();
  const [wanted = ""] = programs.version.split(".");
  if (found === wanted) return;
  throw new EmbeddedDatabaseError(
    `${cluster} was created by PostgreSQL ${found}, and this is PostgreSQL ${wanted}. Start the version that created it and transfer the data with pg_dump, or set CORPRAIL_DATABASE_URL.`,
  );
}

function refuseStrangersCluster({ cluster, user }: ClusterLocation): void {
  const owner = lstatSync(cluster).uid;
  if (user !== null || owner === process.getuid?.()) return;
  throw new EmbeddedDatabaseError(
    `${cluster} belongs to user id ${owner}, not to this user. Start as that user or as root, or change the owner of the whole data folder.`,
  );
}

async function makeCluster(location: ClusterLocation, programs: Programs): Promise<string> {
  const { dataFolder, cluster, user, onLaunch } = location;
  const password = readPassword(dataFolder) ?? newPassword(dataFolder);
  const making = mkdtempSync(join(dataFolder, MAKING));
  try {
    if (user !== null) lchownSync(making, user.uid, user.gid);
    const initdb = initdbCommand(programs, folderArgument(user, making));
    const running = runProgram(initdb, { user, cwd: making, input: `${password}\n` });
    onLaunch?.();
    const { code, output } = await running;
    if (code !== 0) throw new EmbeddedDatabaseError(`PostgreSQL could not create its cluster in ${dataFolder}: ${output}`);
    renameSync(making, cluster);
    syncToDisk(dataFolder);
    return password;
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
}

// The built-in locale, because the system's C.UTF-8 does not exist everywhere.
function initdbCommand(programs: Programs, folder: string): string[] {
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["--username=corprail", "--auth=scram-sha-256", "--pwfile=/dev/stdin"];
  return [join(programs.folder, "bin", "initdb"), "-D", folder, ...locale, ...access, "--data-checksums", "--no-instructions"];
}

const passwordFile = (dataFolder: string): string => join(dataFolder, "database-password");

// Stored before the cluster exists, because a cluster without its password is useless.
function newPassword(dataFolder: string): string {
  const password = randomBytes(32).toString("base64url");
  writePrivateFile(passwordFile(dataFolder), `${password}\n`);
  syncToDisk(passwordFile(dataFolder));
  return password;
}

function readPassword(dataFolder: string): string | null {
  const file = passwordFile(dataFolder);
  if (!existsSync(file)) return null;
  const password = readFileSync(file, "utf8").trim();
  return PASSWORD.test(password) ? password : lostPassword(dataFolder);
}

function lostPassword(dataFolder: string): never {
  throw new EmbeddedDatabaseError(
    `${passwordFile(dataFolder)} is missing or damaged, and the cluster in ${dataFolder} cannot be used without it. Restore it from a backup of the data folder.`,
  );
}
