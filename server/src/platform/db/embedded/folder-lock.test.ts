import { existsSync, renameSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryLockFolder, trySocketFile } from "./folder-lock.ts";
import { temporaryFolder } from "./testing/helpers.ts";

test("a folder is held by one at a time, and free again after its release", async () => {
  const folder = temporaryFolder();
  const first = await tryLockFolder(folder);
  expect(await tryLockFolder(folder)).toBeNull();
  await first?.release();
  const second = await tryLockFolder(folder);
  expect(second).not.toBeNull();
  await second?.release();
});

test("where the lock is a socket file, a live one holds and a released one is gone", async () => {
  const path = join(temporaryFolder(), "lock");
  const lock = await trySocketFile(path);
  expect(lock).not.toBeNull();
  expect(await trySocketFile(path)).toBeNull();
  await lock?.release();
  expect(existsSync(path)).toBe(false);
});

test("a dead socket file is taken over by exactly one of several", async () => {
  const path = join(temporaryFolder(), "lock");
  await leaveDeadSocket(path);
  const locks = await Promise.all([1, 2, 3].map(() => trySocketFile(path)));
  expect(locks.filter((lock) => lock !== null)).toHaveLength(1);
  expect(await trySocketFile(path)).toBeNull();
  for (const lock of locks) await lock?.release();
});

// A killed process leaves its socket's file, a closed server does not: so it is moved out of the way of the closing.
async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(`${path}.alive`, done));
  renameSync(`${path}.alive`, path);
  await new Promise<void>((done) => server.close(() => done()));
}
