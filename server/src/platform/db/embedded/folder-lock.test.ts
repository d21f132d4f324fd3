import { existsSync, renameSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryLockFolder, trySocketFile } from "./folder-lock.ts";
import { temporaryFolder } from "./testing/helpers.ts";

test("one process at a time holds a folder, and a release frees it", async () => {
  const folder = temporaryFolder();
  const first = await tryLockFolder(folder);
  expect(await tryLockFolder(folder)).toBeNull();
  await first?.release();
  const second = await tryLockFolder(folder);
  expect(second).not.toBeNull();
  await second?.release();
});

test("a live socket file holds the lock, and a release removes the file", async () => {
  const path = join(temporaryFolder(), "lock");
  const lock = await trySocketFile(path);
  expect(lock).not.toBeNull();
  expect(await trySocketFile(path)).toBeNull();
  await lock?.release();
  expect(existsSync(path)).toBe(false);
});

test("exactly one of several processes takes over a dead socket file", async () => {
  const path = join(temporaryFolder(), "lock");
  await leaveDeadSocket(path);
  const locks = await Promise.all([1, 2, 3].map(() => trySocketFile(path)));
  expect(locks.filter((lock) => lock !== null)).toHaveLength(1);
  expect(await trySocketFile(path)).toBeNull();
  for (const lock of locks) await lock?.release();
});

// A killed process leaves its socket file but a closed server removes it, so the file is moved away before closing.
async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(`${path}.alive`, done));
  renameSync(`${path}.alive`, path);
  await new Promise<void>((done) => server.close(() => done()));
}
