import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../server/src/testing/database.ts";
import { clockOf } from "./move-account.ts";

let home: TestDatabase;

beforeAll(async () => {
  home = await testDatabase();
});
afterAll(async () => await home?.drop());

test("a move takes its times from the home cell, also on a machine whose clock is a day ahead", async () => {
  const now = Date.now();
  const spy = vi.spyOn(Date, "now").mockImplementation(() => now + 86_400_000);
  const clock = await clockOf(home.sql, 0).finally(() => spy.mockRestore());
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
});
