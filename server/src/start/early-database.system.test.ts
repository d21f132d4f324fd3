import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { serversIn } from "../platform/db/embedded/stop-servers.ts";
import { clusterIn, temporaryFolder } from "../platform/db/embedded/testing/helpers.ts";
import { startDatabaseEarly } from "./early-database.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const begin = (dataFolder: string) => startDatabaseEarly({ dataFolder, host: "127.0.0.1", port: 0, logLevel: "silent", logFormat: "json" });

test("the database is started early once, and a later start starts it again", async () => {
  const folder = temporaryFolder();
  const early = await begin(folder);
  // initdb runs: its folder gets its final name when it has ended.
  expect(existsSync(clusterIn(folder))).toBe(false);
  const first = await early.start();
  await early.discard();
  expect(serversIn(clusterIn(folder))).not.toEqual([]);
  await first.stop();
  const second = await early.start();
  onTestFinished(second.stop);
  expect(second.url).not.toBe(first.url);
});

test("an unused database is stopped", async () => {
  const folder = temporaryFolder();
  await (await begin(folder)).discard();
  expect(serversIn(clusterIn(folder))).toEqual([]);
  expect(existsSync(join(folder, "holder.json"))).toBe(false);
});

test("a failure is reported to the code that asks for the database", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const early = await begin(join(file, "data"));
  await expect(early.start()).rejects.toThrow(/cannot be used/);
});
