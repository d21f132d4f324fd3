import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Processes that have a folder in their arguments or as their working directory: what a service may have left running. */
export function processesIn(folder: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = quietly(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
      const place = quietly(() => readlinkSync(`/proc/${pid}/cwd`));
      return command.includes(folder) || place.startsWith(folder) ? [`${pid} ${command} in ${place}`] : [];
    });
}

// A process may be gone by the time it is asked.
function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
