import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "@corprail/server/platform/db/connection";
import { findPrograms } from "@corprail/server/platform/db/embedded/programs";
import { surroundings } from "@corprail/server/platform/db/embedded/run-program";
import { chooseServerUser, giveTo, type ServerUser } from "@corprail/server/platform/db/embedded/server-user";

export type RecoveryOptions = {
  /** A base backup in plain format, as pg_basebackup or `pgbackrest restore` writes it. */
  readonly base: string;
  /** PostgreSQL's setting of this name: fetches a WAL file `%f` to `%p`. */
  readonly restoreCommand: string;
  /** Null: to the end of the WAL. */
  readonly to: Date | null;
  /** The folder with the PostgreSQL programs; null: those that come with Corprail. */
  readonly postgresBin: string | null;
  /** The folder for the restored files, which is deleted at the end. */
  readonly scratch: string | null;
};

export type RestoredServer = { readonly url: string; readonly stop: () => Promise<void> };

// Recovery reads the WAL of hours, so only a server that ends is given up.
const POLL_MILLISECONDS = 300;
const MAX_OUTPUT = 8_000;

/** Restores a base backup and its WAL into a scratch folder, and starts a server on it that only this machine can reach. */
export async function startRestored(options: RecoveryOptions, liveUrl: string): Promise<RestoredServer> {
  // A link would be copied as a link, and the server would then write into the backup itself.
  const base = realpathSync(options.base);
  refuseOutside(base);
  const folder = mkdtempSync(join(options.scratch ?? tmpdir(), "corprail-drill-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  let server: Running | null = null;
  try {
    const cluster = join(folder, "data");
    cpSync(base, cluster, { recursive: true, preserveTimestamps: true });
    const user = chooseServerUser(folder, cluster);
    prepareFiles(folder, cluster, user);
    const port = await freePort();
    const program = await findPostgres(options, cluster, user, folder);
    const started = run(program, recoverySettings(folder, port, options), { cluster, user });
    server = started;
    const url = addressOf(liveUrl, port);
    await untilPromoted(url, started);
    return {
      url,
      stop: async () => {
        await end(started);
        remove();
      },
    };
  } catch (error) {
    if (server !== null) await end(server);
    remove();
    throw error;
  }
}

/** Refuses a base backup with files outside its folder: the drill would change the files of the running server. */
function refuseOutside(base: string): void {
  const [tablespaces, wal, map] = ["pg_tblspc", "pg_wal", "tablespace_map"].map((name) => join(base, name)) as [string, string, string];
  const hasMap = existsSync(map) && readFileSync(map, "utf8").trim() !== "";
  if (hasMap || (existsSync(tablespaces) && readdirSync(tablespaces).length > 0))
    throw new Error(`The base backup ${base} has tablespaces outside its folder. A drill cannot restore them apart from the originals.`);
  if (lstatSync(wal, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`pg_wal of the base backup ${base} is a symbolic link. Replace it by an empty folder; the WAL comes from the archive.`);
}

async function end(server: Running): Promise<void> {
  server.stop();
  await server.ended;
}

function prepareFiles(folder: string, cluster: string, user: ServerUser): void {
  for (const name of ["postmaster.pid", "standby.signal"]) rmSync(join(cluster, name), { force: true });
  writeFileSync(join(cluster, "recovery.signal"), "");
  writeFileSync(join(folder, "postgresql.conf"), "# All settings are given on the command line.\n");
  // The roles and passwords are those of the backup.
  writeFileSync(join(folder, "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
  mkdirSync(join(folder, "socket"));
  chmodSync(cluster, 0o700);
  if (user !== null) giveTo(user, folder);
}

function recoverySettings(folder: string, port: number, { restoreCommand, to }: RecoveryOptions): Readonly<Record<string, string>> {
  return {
    config_file: join(folder, "postgresql.conf"),
    hba_file: join(folder, "pg_hba.conf"),
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: join(folder, "socket"),
    ssl: "off",
    archive_mode: "off",
    hot_standby: "off",
    restore_command: restoreCommand,
    recovery_target_timeline: "latest",
    // Also without a time here: pgBackRest writes one into the restored files.
    recovery_target_action: "promote",
    ...(to === null ? {} : { recovery_target_time: to.toISOString().replace("T", " ").replace("Z", "+00") }),
  };
}

async function findPostgres({ postgresBin }: RecoveryOptions, cluster: string, user: ServerUser, folder: string): Promise<string> {
  const wanted = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  const programs = postgresBin === null ? await findPrograms(user, folder) : null;
  if (programs !== null && programs.version.split(".")[0] !== wanted)
    throw new Error(
      `The base backup is of PostgreSQL ${wanted}, and Corprail comes with ${programs.version}. Name the programs with --postgres-bin.`,
    );
  const program = join(programs === null ? resolve(postgresBin ?? "") : join(programs.folder, "bin"), "postgres");
  if (!existsSync(program)) throw new Error(`There is no PostgreSQL program ${program}.`);
  return program;
}

type Running = {
  readonly ended: Promise<void>;
  readonly output: () => string;
  readonly hasEnded: () => boolean;
  readonly stop: () => void;
};

function run(
  program: string,
  settings: Readonly<Record<string, string>>,
  { cluster, user }: { cluster: string; user: ServerUser },
): Running {
  const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(program, ["-D", cluster, ...words], { ...surroundings(user, cluster), stdio: ["ignore", "pipe", "pipe"] });
  let [output, isOver] = ["", false];
  const collect = (part: Buffer) => {
    output = (output + part.toString("utf8")).slice(-MAX_OUTPUT);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<void>((done) => {
    child.once("error", (error) => collect(Buffer.from(error.message)));
    child.once("close", () => {
      isOver = true;
      done();
    });
  });
  // A fast shutdown.
  return { ended, output: () => output.trim(), hasEnded: () => isOver, stop: () => void child.kill("SIGINT") };
}

async function untilPromoted(url: string, server: Running): Promise<void> {
  for (;;) {
    if (server.hasEnded()) throw new Error(`PostgreSQL could not restore it: ${lastWords(server.output())}`);
    if (await isPromoted(url)) return;
    await delay(POLL_MILLISECONDS);
  }
}

async function isPromoted(url: string): Promise<boolean> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const [row] = await sql<{ recovering: boolean }[]>`select pg_is_in_recovery() as recovering`;
    return row?.recovering === false;
  } catch (error) {
    // While it recovers it accepts no connections; a wrong password would not change by waiting.
    if (error instanceof Error && "code" in error && ["28P01", "28000", "3D000"].includes(String(error.code))) throw error;
    return false;
  } finally {
    await close();
  }
}

/** The reason, which PostgreSQL tells before it says that it ends. */
function lastWords(output: string): string {
  const lines = output.split("\n");
  const reasons = lines.filter((line) => /FATAL|PANIC|ERROR/.test(line));
  return (reasons.length > 0 ? reasons : lines).slice(-3).join(" ");
}

function addressOf(liveUrl: string, port: number): string {
  const url = new URL(liveUrl.replace(/@([^/?]*)/, "@127.0.0.1"));
  url.hostname = "127.0.0.1";
  url.port = String(port);
  url.search = "";
  return url.href;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const address = server.address();
  await new Promise((done) => {
    server.close(done);
  });
  return typeof address === "object" && address !== null ? address.port : 0;
}
