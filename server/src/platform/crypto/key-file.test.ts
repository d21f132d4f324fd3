import { mkdtemp, readFile, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ensureKeyFile, readKeyFile } from "./key-file.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "corprail-key-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("a first start makes a key that only its owner can read", async () => {
  const path = join(await emptyFolder(), "master-key");
  await ensureKeyFile(path);
  expect(await readKeyFile(path)).toHaveLength(1);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a key that exists is kept, and nothing is written to its folder, which may be read-only", async () => {
  const folder = await emptyFolder();
  const path = join(folder, "master-key");
  await ensureKeyFile(path);
  const before = await readFile(path, "utf8");
  // Any file that is made in the folder, even for a moment, changes the folder's time.
  await utimes(folder, 1, 1);
  await ensureKeyFile(path);
  expect([await readFile(path, "utf8"), (await stat(folder)).mtimeMs]).toEqual([before, 1_000]);
});
