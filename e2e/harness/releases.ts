import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export const PRESENT_VERSION = "0.1.0";
export const NEXT_VERSION = "0.2.0";

// What the next version adds: a column and its index, which the present version does not know, and a later contraction.
const MIGRATIONS = {
  "9001_order_note.sql": "-- phase: expand\nalter table orders add column upgrade_note text;\n",
  "9002_order_note_index.sql":
    "-- phase: index\ncreate index concurrently orders_upgrade_note on orders (upgrade_note) where upgrade_note is not null;\n",
  "9003_no_order_note.sql": "-- phase: contract\nalter table orders drop column upgrade_note;\n",
};

/** Packages this version and a next one into folders named after their versions. The program of each is `bin/corprail.mjs`. */
export async function makeReleases(folder: string): Promise<void> {
  const [present, next] = [join(folder, PRESENT_VERSION), join(folder, NEXT_VERSION)];
  const { stdout } = await run(process.execPath, ["scripts/package.mjs", "--output", join(folder, "release")], { cwd: ROOT });
  await mkdir(present);
  await run("tar", ["-xzf", stdout.trim(), "-C", present, "--strip-components=1"]);
  await cp(present, next, { recursive: true });
  for (const [name, text] of Object.entries(MIGRATIONS)) await writeFile(join(next, "server/schema/migrations", name), text);
  for (const name of ["package.json", "server/package.json", "cli/package.json"]) {
    const manifest = JSON.parse(await readFile(join(next, name), "utf8")) as object;
    await writeFile(join(next, name), JSON.stringify({ ...manifest, version: NEXT_VERSION }));
  }
}
