import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import postgres from "postgres";
import { findPrograms } from "../../../server/src/platform/db/embedded/programs.ts";
import { folderArgument, surroundings } from "../../../server/src/platform/db/embedded/run-program.ts";
import { chooseServerUser, giveTo } from "../../../server/src/platform/db/embedded/server-user.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../../server/src/platform/db/embedded/start-embedded.ts";
import { freePort } from "../../../server/src/platform/db/embedded/start-server.ts";
import { killServersIn } from "../../../server/src/platform/db/embedded/stop-servers.ts";
import { until } from "../deadline.ts";
import { temporaryFolder } from "../service.ts";

export type Replicated = {
  /** Names the standby first, then the leader. */
  readonly url: string;
  readonly leaderUrl: string;
  readonly standbyUrl: string;
  /** The standby receives changes, but does not apply them until it resumes. */
  readonly pauseReplay: () => Promise<void>;
  readonly resumeReplay: () => Promise<void>;
  /** Waits until the standby has everything that was committed. */
  readonly caughtUp: () => Promise<void>;
  readonly stopLeader: () => Promise<void>;
  readonly promoteStandby: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const QUIET = { info: () => {}, warn: () => {} };
const SETTINGS = { shared_buffers: "16MB" };

/** Two real PostgreSQL servers: a leader, and a standby that follows it by streaming replication. */
export async function startReplicated(): Promise<Replicated> {
  const folders = [await temporaryFolder("corprail-leader-"), await temporaryFolder("corprail-standby-")] as const;
  const [leaderFolder, standbyFolder] = folders;
  // A standby begins as a copy of a leader that does not run.
  await (await startEmbedded({ dataFolder: leaderFolder, log: QUIET, settings: SETTINGS })).stop();
  cpSync(join(leaderFolder, "postgres"), join(standbyFolder, "postgres"), { recursive: true });
  const leader = await startEmbedded({ dataFolder: leaderFolder, log: QUIET, settings: SETTINGS });
  const { port, child } = await startStandby(standbyFolder, new URL(leader.url));
  const { username, password, port: leaderPort } = new URL(leader.url);
  const standbyUrl = urlAt(leader, port);
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port},127.0.0.1:${leaderPort}/corprail?target_session_attrs=read-write`,
    leaderUrl: leader.url,
    standbyUrl,
    pauseReplay: async () => void (await ask(standbyUrl, "select pg_wal_replay_pause()")),
    resumeReplay: async () => void (await ask(standbyUrl, "select pg_wal_replay_resume()")),
    caughtUp: () => untilCaughtUp(leader.url, standbyUrl),
    stopLeader: leader.stop,
    promoteStandby: async () => void (await ask(standbyUrl, "select pg_promote()")),
    close: async () => {
      child.kill("SIGQUIT");
      await killServersIn(join(standbyFolder, "postgres"));
      await leader.stop();
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}

function urlAt({ url }: EmbeddedDatabase, port: number): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}

async function startStandby(folder: string, leader: URL): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const cluster = join(folder, "postgres");
  writeFileSync(join(cluster, "standby.signal"), "");
  const user = chooseServerUser(folder, cluster);
  if (user !== null) giveTo(user, cluster);
  const programs = await findPrograms(user, folder);
  const port = await freePort();
  const settings = {
    ...{ ...SETTINGS, port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "", huge_pages: "off" },
    primary_conninfo: `host=127.0.0.1 port=${leader.port} user=${leader.username} password=${leader.password}`,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(programs.folder, "bin", "postgres"), ["-D", folderArgument(user, cluster), ...flags], {
    ...surroundings(user, cluster),
    stdio: ["ignore", "ignore", "pipe"],
  });
  await untilReady(child);
  return { port, child };
}

async function untilReady(child: ChildProcess): Promise<void> {
  const lines: string[] = [];
  if (!child.stderr) throw new Error("The standby has no log.");
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes("ready to accept read-only connections")) {
      child.stderr.resume();
      return;
    }
    lines.push(line);
  }
  throw new Error(`The standby did not start: ${lines.join(" | ")}`);
}

async function ask(url: string, statement: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return String(Object.values((await sql.unsafe(statement))[0] ?? {})[0]);
  } finally {
    await sql.end();
  }
}

async function untilCaughtUp(leaderUrl: string, standbyUrl: string): Promise<void> {
  const position = await ask(leaderUrl, "select pg_current_wal_flush_lsn()");
  await until("the standby has caught up", async () =>
    (await ask(standbyUrl, `select pg_last_wal_replay_lsn() >= '${position}'::pg_lsn`)) === "true" ? true : null,
  );
}
