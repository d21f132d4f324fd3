import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { countTest } from "./test-budget.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

function budgetAt(start: number) {
  const time = { now: start };
  const ctx = { sql: database.sql, clock: { now: () => time.now } };
  return { time, take: (accountId: string) => countTest(ctx, accountId) };
}

test("an account sends ten tests in any minute, and another account is not touched by that", async () => {
  const { time, take } = budgetAt(1_000_000_000);
  for (let sent = 0; sent < 10; sent++) {
    expect(await take("A1")).toBeNull();
    time.now += 1_000;
  }
  expect(await take("A1")).toEqual({ kind: "too_many", retryAfterSeconds: 50 });
  expect(await take("A2")).toBeNull();
  time.now += 50_000;
  expect(await take("A1")).toBeNull();
  expect(await take("A1")).toEqual({ kind: "too_many", retryAfterSeconds: 1 });
});

test("two processes share the ten, also when they count at once and the clock of one is set apart for a trial", async () => {
  const clocks = [0, 7200].map((offsetSeconds) => ({ now: () => 2_000_000_000 + offsetSeconds * 1000, offsetSeconds }));
  const taken = await Promise.all(
    Array.from({ length: 30 }, (_, at) => countTest({ sql: database.sql, clock: clocks[at % 2] ?? { now: () => 0 } }, "A3")),
  );
  expect(taken.filter((one) => one === null)).toHaveLength(10);
});

test("a clock set back blocks an account's tests for a minute at most", async () => {
  const { time, take } = budgetAt(9_000_000_000);
  for (let sent = 0; sent < 10; sent++) await take("A4");
  time.now = 8_000_000_000;
  expect((await take("A4"))?.retryAfterSeconds).toBeLessThanOrEqual(60);
  time.now += 60_000;
  expect(await take("A4")).toBeNull();
});
