import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Storage } from "./environment/storage.ts";
import { HOURS_PER_SEED, type Options, readOptions } from "./options.ts";
import { addResult, noTotals, progressText, reportText, type Totals } from "./report.ts";
import { startSeeds } from "./start-seeds.ts";

// `npm run simulate`: docs/simulation.md.

const PROGRESS_MILLISECONDS = 10_000;

let options: Options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(2);
}

const totals = noTotals();
const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1000;
const progress = setInterval(() => process.stderr.write(`${progressText(totals, seconds())}\n`), PROGRESS_MILLISECONDS);
const folder = await mkdtemp(join(tmpdir(), "corprail-simulation-"));
try {
  await simulate(options, totals, await writeSnapshot(folder));
} finally {
  await rm(folder, { recursive: true });
  clearInterval(progress);
}
const bugWord = options.bug ? ` bug=${options.bug.name}` : "";
const hoursOfSeed = Math.min(options.hours, HOURS_PER_SEED);
process.stdout.write(`${reportText(totals, seconds(), ({ seed }) => `npm run simulate -- seed=${seed} hours=${hoursOfSeed}${bugWord}`)}\n`);
process.exitCode = isExpected(options, totals) ? 0 : 1;

/**
 * Simulates seed after seed until the hours are reached, each in a program of its own: what earlier seeds leave in memory would
 * change what happens, and a failure could not be repeated from its seed. A planted bug ends the run when it is found.
 */
async function simulate({ seed, hours, bug, jobs, verbose }: Options, sums: Totals, snapshot: string): Promise<void> {
  let next = seed;
  const isEnough = () => (bug ? sums.failed.length > 0 || sums.steps > bug.withinSteps : sums.hours >= hours);
  const each = { count: 1, hours: Math.min(hours, HOURS_PER_SEED), bug: bug?.name ?? null, verbose, snapshot };
  const work = async () => {
    while (!isEnough()) await startSeeds({ ...each, seed: next++ }, (result) => addResult(sums, result));
  };
  await Promise.all(Array.from({ length: jobs }, work));
}

/** Makes the storage with which every seed begins. */
async function writeSnapshot(folder: string): Promise<string> {
  const storage = await Storage.create();
  const file = join(folder, "storage.tar");
  await writeFile(file, (await storage.snapshot()).stream());
  await storage.close();
  return file;
}

/** Without a planted bug there must be no violation; with one, it must be found in time. */
function isExpected({ bug }: Options, { failed, steps }: Totals): boolean {
  return bug === null ? failed.length === 0 : failed.length > 0 && steps <= bug.withinSteps;
}
