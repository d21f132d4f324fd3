import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// Linux counts CPU time in hundredths of a second.
const TICKS = 100;

/** CPU seconds that PostgreSQL's processes have used so far; null where there is no /proc. */
export function postgresCpuSeconds(dataFolder) {
  try {
    const [postmaster] = readFileSync(join(dataFolder, "postgres", "postmaster.pid"), "utf8").split("\n");
    return readdirSync("/proc")
      .filter((name) => /^[0-9]+$/.test(name))
      .map(readStat)
      .filter((stat) => stat !== null && (stat.pid === Number(postmaster) || stat.parent === Number(postmaster)))
      .reduce((sum, stat) => sum + stat.seconds, 0);
  } catch {
    return null;
  }
}

export function cpuSeconds(pid) {
  return readStat(pid)?.seconds ?? null;
}

/** The numbers of the cores that this process may use; null where `taskset` is missing. */
export function usableCores() {
  const { status, stdout } = spawnSync("taskset", ["-cp", String(process.pid)], { encoding: "utf8" });
  if (status !== 0) return null;
  // "pid 1234's current affinity list: 0,2-5"
  const ranges = stdout.slice(stdout.lastIndexOf(":") + 1).split(",");
  return ranges.flatMap(numbersIn);
}

/** @param {string} range as "2-5" */
function numbersIn(range) {
  const [first, last = first] = range.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { pid: Number(pid), parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS };
  } catch {
    return null;
  }
}
