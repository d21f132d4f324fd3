import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { getHeapSpaceStatistics } from "node:v8";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
// As the service starts V8 (docs/decisions/0045-short-lived-entries.md).
const OPTIONS = ["--import", "tsx", "--no-allocation-site-pretenuring", "--expose-gc"];

/** Runs a program that ends with `printSurvivors`, in a process of its own, whose heap contains nothing else. */
export async function survivorsIn(program: string, ...args: readonly string[]): Promise<number> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...OPTIONS, file, ...args], { cwd: ROOT });
  return Number.parseInt(stdout, 10);
}

/**
 * Runs a round several times, with a collection of young objects after each. Prints how many bytes became old objects,
 * because they survived two collections. A round must be small, so that V8 makes no collections of its own meanwhile.
 */
export async function printSurvivors(rounds: number, round: () => unknown): Promise<void> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("Run this with --expose-gc.");
  await round();
  gc();
  const before = oldObjects();
  for (let done = 0; done < rounds; done++) {
    await round();
    gc({ type: "minor" });
  }
  process.stdout.write(`${oldObjects() - before}\n`);
}

function oldObjects(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0;
}
