import { openAsBlob } from "node:fs";
import { bugNamed } from "./checks/bugs.ts";
import { Storage } from "./environment/storage.ts";
import { runSeed } from "./run-seed.ts";

// A program of its own, because it replaces the clocks and timers of the whole program: first seed, number of seeds, hours of
// each, planted bug or a dash, whether to print every step, and a file with a snapshot of an empty storage, if there is one.
// Writes one line of JSON for each seed.
const [first = "1", count = "1", hours = "48", bug = "-", verbose = "no", snapshot] = process.argv.slice(2);

const storage = await Storage.create(snapshot === undefined ? undefined : await openAsBlob(snapshot));
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const planted = bug === "-" ? null : bugNamed(bug);
  const result = await runSeed(storage, { seed, hours: Number(hours), bug: planted, verbose: verbose === "yes" });
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
await storage.close();
// Connections of simulated processes that have crashed would keep this program alive.
process.exit(0);
