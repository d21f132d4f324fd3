import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { ClusterLocation } from "./make-cluster.ts";
import type { Programs } from "./programs.ts";
import { folderArgument, surroundings } from "./run-program.ts";
import type { Settings } from "./server-settings.ts";
import { killServersIn, stopServersIn } from "./stop-servers.ts";

/** `debug` receives PostgreSQL's log line by line. */
export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  debug?(details: object, message: string): void;
};

export type Server = {
  readonly ready: Promise<boolean>;
  /** Resolves with the last output when PostgreSQL has exited for any reason. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
};

type Guardian = ChildProcessByStdio<Writable, null, Readable>;

const LAST_LINES = 15;
const READY = "database system is ready to accept connections";
const FAST_STOP_MILLISECONDS = 8_000;

export function runServer(location: ClusterLocation, programs: Programs, settings: Settings, log: Log): Server {
  const guardian = launch(location, programs, settings);
  const lastLines: string[] = [];
  let isReady = false;
  const ready = new Promise<boolean>((resolve) => {
    createInterface({ input: guardian.stderr }).on("line", (line) => {
      keep(lastLines, line, log);
      if (!line.includes(READY)) return;
      isReady = true;
      guardian.stdin.write("ready\n");
      resolve(true);
    });
    guardian.once("error", () => resolve(false)).once("close", () => resolve(isReady));
  });
  const ended = watchEnd(guardian, location.cluster, lastLines);
  return { ready, ended, stop: () => stop(guardian, ended, location.cluster) };
}

function launch(location: ClusterLocation, programs: Programs, settings: Settings): Guardian {
  const server = join(programs.folder, "bin", "postgres");
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [server, "-D", folderArgument(location.user, location.cluster), ...flags];
  const guardian = spawn("/bin/sh", ["-c", GUARDIAN, "corprail-guardian", ...command], {
    ...surroundings(location.user, location.cluster),
    stdio: ["pipe", "ignore", "pipe"],
  });
  guardian.stdin.on("error", () => {});
  return guardian;
}

function keep(lines: string[], line: string, log: Log): void {
  lines.push(line);
  if (lines.length > LAST_LINES) lines.shift();
  if (line.startsWith("PANIC")) log.warn({ line }, "PostgreSQL panicked");
  else log.debug?.({ line }, "PostgreSQL output");
}

async function watchEnd(guardian: Guardian, cluster: string, lastLines: readonly string[]): Promise<string> {
  const closed = new Promise<void>((resolve) => guardian.once("close", () => resolve()));
  const cause = await new Promise<string>((resolve) => {
    guardian.once("error", (error) => resolve(error.message));
    guardian.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  // Backends survive a killed postmaster, and PostgreSQL survives a killed guardian.
  await stopServersIn(cluster);
  await Promise.race([closed, delay(1_000)]);
  return `PostgreSQL exited (${cause}): ${lastLines.join(" | ") || "no output"}`;
}

async function stop(guardian: Guardian, ended: Promise<string>, cluster: string): Promise<void> {
  guardian.stdin.end();
  const waiting = new AbortController();
  const late = delay(FAST_STOP_MILLISECONDS, "late" as const, { signal: waiting.signal }).catch(() => "");
  if ((await Promise.race([ended, late])) === "late") {
    await killServersIn(cluster);
    guardian.kill("SIGKILL");
  }
  waiting.abort();
  await ended;
}

/**
 * A shell between the service and PostgreSQL (docs/decisions/0004). It stops PostgreSQL when its pipe to the service closes,
 * ignores signals, and repeats the stop until PostgreSQL was ready. Plain POSIX: dash and busybox have no `read -t`.
 */
export const GUARDIAN = `
trap '' HUP INT TERM
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
{
  if read -r _ <&3; then
    read -r _ <&3
    kill -INT "$server"
  else
    while kill -INT "$server"; do sleep 1; done
  fi
} >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill -KILL "$watcher" 2>/dev/null
exit "$status"
`;
