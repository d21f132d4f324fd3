import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { SeedResult } from "./run-seed.ts";

export type SeedRange = {
  readonly seed: number;
  readonly count: number;
  readonly hours: number;
  readonly bug: string | null;
  readonly verbose?: boolean;
  /** A file with a snapshot of an empty storage. */
  readonly snapshot?: string;
};

const PROGRAM = fileURLToPath(new URL("run-seeds.ts", import.meta.url));

/** Simulates some seeds in a program of their own, and passes each result on. */
export async function startSeeds(range: SeedRange, onResult: (result: SeedResult) => void): Promise<void> {
  const { seed, count, hours, bug, verbose = false, snapshot } = range;
  const words = [seed, count, hours, bug ?? "-", verbose ? "yes" : "no", ...(snapshot === undefined ? [] : [snapshot])].map(String);
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), PROGRAM, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let received = 0;
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    received++;
    onResult(JSON.parse(line) as SeedResult);
  });
  const closed = new Promise<void>((resolve) => lines.once("close", resolve));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("exit", resolve));
  await closed;
  if (code !== 0 || received < count)
    throw new Error(`The simulation of the seeds from ${seed} ended with ${code} after ${received} of ${count}.`);
}
