import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

type Step = { readonly signal: "SIGINT" | "SIGQUIT" | "SIGKILL"; readonly seconds: number };

// An immediate shutdown loses no data, because the next start replays the log. PostgreSQL gives its backends 5 s.
const AT_ONCE: readonly Step[] = [
  { signal: "SIGQUIT", seconds: 7 },
  { signal: "SIGKILL", seconds: 5 },
];
const IN_ORDER: readonly Step[] = [{ signal: "SIGINT", seconds: 10 }, ...AT_ONCE];

/** Stops every PostgreSQL process that runs in this folder; true if there were any. */
export async function stopServersIn(folder: string): Promise<boolean> {
  return endServers(folder, IN_ORDER);
}

/** Stops them at once, without an orderly shutdown. */
export async function killServersIn(folder: string): Promise<boolean> {
  return endServers(folder, AT_ONCE);
}

async function endServers(folder: string, steps: readonly Step[]): Promise<boolean> {
  const present = serversIn(folder).length > 0;
  for (const { signal, seconds } of steps) {
    const deadline = performance.now() + seconds * 1000;
    signalServers(folder, signal);
    while (serversIn(folder).length > 0 && performance.now() < deadline) await delay(50);
  }
  return present;
}

// A postmaster signals its backends. Orphaned backends are signalled directly; SIGINT would only cancel their query.
function signalServers(folder: string, signal: Step["signal"]): void {
  const servers = serversIn(folder);
  const postmaster = postmasterPid(folder);
  if (signal !== "SIGKILL" && postmaster !== null && servers.includes(postmaster)) send(postmaster, signal);
  else for (const pid of servers) send(pid, signal === "SIGINT" ? "SIGQUIT" : signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}

export function postmasterPid(folder: string): number | null {
  try {
    const [line = ""] = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
    return /^[1-9]\d*$/.test(line) ? Number(line) : null;
  } catch {
    return null;
  }
}

/** Process ids of the PostgreSQL programs whose working folder this is. */
export function serversIn(folder: string): number[] {
  const wanted = statSync(folder, { bigint: true, throwIfNoEntry: false });
  if (wanted === undefined) return [];
  if (process.platform !== "linux") return serverByLockFile(folder);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => worksIn(pid, wanted))
    .map(Number);
}

function worksIn(pid: string, wanted: { readonly dev: bigint; readonly ino: bigint }): boolean {
  try {
    const program = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    if (program !== "postgres" && program !== "initdb") return false;
    const cwd = statSync(`/proc/${pid}/cwd`, { bigint: true });
    return cwd.dev === wanted.dev && cwd.ino === wanted.ino;
  } catch {
    // The process has exited or belongs to another user.
    return false;
  }
}

function serverByLockFile(folder: string): number[] {
  const pid = postmasterPid(folder);
  if (pid === null) return [];
  try {
    const command = execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
    return command.includes("postgres") && command.includes(folder) ? [pid] : [];
  } catch {
    return [];
  }
}
