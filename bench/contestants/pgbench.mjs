import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { atEnd, endChild } from "../closing.mjs";

const run = promisify(execFile);
const SCALE = 20;
const CLIENTS = 16;
const MOST_TRIES = 4;
const TPS = /^tps = ([0-9.]+) \(without initial connection time\)/m;

/** Its TPC-B-like script, as it comes; null when it is not installed. */
export async function startPgbench(url) {
  const program = findProgram();
  if (program === null) return null;
  const { port, username, password, pathname } = new URL(url);
  const address = ["-h", "127.0.0.1", "-p", port, "-U", username];
  const pgbench = async (...args) => {
    const running = run(program, [...address, ...args, pathname.slice(1)], { env: { ...process.env, PGPASSWORD: password } });
    atEnd("processes", () => endChild(running.child));
    return (await running).stdout;
  };
  await pgbench("-i", "-q", "-s", String(SCALE));
  return {
    run: async (seconds) => {
      let output = "";
      // On a machine that is busy with something else it may not come to a single transaction in its time.
      for (let tried = 0; tried < MOST_TRIES; tried++) {
        output = await pgbench("-n", "-M", "prepared", "-c", String(CLIENTS), "-T", String(seconds));
        const match = TPS.exec(output);
        if (match !== null) return Number(match[1]);
      }
      throw new Error(`pgbench said:\n${output}`);
    },
  };
}

function findProgram() {
  const debian = "/usr/lib/postgresql";
  // Debian's own on the PATH is a wrapper that has to find this one first.
  const folders = [...entries(debian).map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(delimiter)];
  const folder = folders.find((one) => entries(one).includes("pgbench"));
  return folder === undefined ? null : join(folder, "pgbench");
}

function entries(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
