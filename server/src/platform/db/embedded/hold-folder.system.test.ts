import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { DataFolderHeld } from "./failures.ts";
import { holdFolder } from "./hold-folder.ts";
import { startEmbedded } from "./start-embedded.ts";
import { endProcess, holderOf, quietLog, startedIn, temporaryFolder } from "./testing/helpers.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const SHORT_LIMITS = { runningMilliseconds: 150, stoppingMilliseconds: 300 };

async function refusalOf(attempt: Promise<unknown>): Promise<DataFolderHeld> {
  const refusal = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal instanceof DataFolderHeld) return refusal;
  throw new Error(`not refused as held: ${refusal}`);
}

test("a second start on a held folder is refused with the holder, its start time, its address and what to do", async () => {
  const folder = temporaryFolder();
  const holder = await holderOf(folder);
  const refusal = await refusalOf(startEmbedded({ dataFolder: folder, log: quietLog }));
  expect(refusal.holder).toMatchObject({ pid: holder.pid, address: "http://127.0.0.1:8080" });
  for (const part of [folder, `process ${holder.pid}`, refusal.holder?.since ?? "?", "http://127.0.0.1:8080"])
    expect(refusal.message).toContain(part);
  for (const part of ["CORPRAIL_DATA_DIR", "CORPRAIL_PORT", `CORPRAIL_DATABASE_URL to the address in ${folder}/database-url`])
    expect(refusal.message).toContain(part);
});

test("a start waits for a holder that is stopping", async () => {
  const folder = temporaryFolder();
  const holder = await holderOf(folder);
  const [database] = await Promise.all([startedIn(folder), endProcess(holder.process, "SIGTERM")]);
  expect(holder.process.exitCode).toBe(0);
  expect(database.url).toMatch(/^postgres:/);
});

test("a start waits longer for a holder that is marked as stopping", async () => {
  const folder = temporaryFolder();
  const first = await holdFolder(folder, null);
  first.markStopping();
  const second = holdFolder(folder, null, { runningMilliseconds: 0, stoppingMilliseconds: 10_000 });
  expect(await Promise.race([second, delay(300, "still waiting")])).toBe("still waiting");
  await first.release();
  await (await second).release();
});

test("marking a released folder as stopping leaves no note behind", async () => {
  const folder = temporaryFolder();
  const hold = await holdFolder(folder, null);
  await hold.release();
  hold.markStopping();
  expect(() => readFileSync(join(folder, "holder.json"))).toThrow();
});

test.each(["{", "null", '{"pid":"x"}', ""])("with a damaged note (%j) the refusal is still clear", async (damage) => {
  const folder = temporaryFolder();
  const hold = await holdFolder(folder, null);
  writeFileSync(join(folder, "holder.json"), damage);
  const refusal = await refusalOf(holdFolder(folder, null, SHORT_LIMITS));
  expect(refusal.holder).toBeNull();
  expect(refusal.message).toContain(`${folder} is in use by another process`);
  await hold.release();
});

test("two paths to the same folder share one lock", async () => {
  const parent = temporaryFolder();
  mkdirSync(join(parent, "data"));
  symlinkSync("data", join(parent, "link"));
  const hold = await holdFolder(join(parent, "data"), null);
  await refusalOf(holdFolder(join(parent, "link"), null, SHORT_LIMITS));
  await hold.release();
});
