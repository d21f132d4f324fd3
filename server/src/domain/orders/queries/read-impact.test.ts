import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { orderRow } from "../testing/rows.ts";
import { readImpact } from "./read-impact.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const NOW = 1_800_000_000_000;

test("above the scan limit only the newest orders count, and the result says since when", async () => {
  for (let minute = 1; minute <= 9; minute++) await orderRow(database.sql, { accountId: "A1", at: NOW - minute * 60_000, operator: "AT" });
  await orderRow(database.sql, { accountId: "A2", at: NOW - 30_000, operator: "JO" });
  await orderRow(database.sql, { accountId: "A1", at: NOW - 20 * 60_000, operator: "VI", state: 0, watched: true });
  const of = { kind: "operator", name: "AT" } as const;
  const hour = { since: NOW - 3_600_000, orders: 9, accounts: 1, amount: 900_000n, pending: 0 };
  expect(await readImpact(database.sql, of, NOW)).toEqual(hour);
  expect(await readImpact(database.sql, of, NOW, 5)).toEqual({ ...hour, since: NOW - 4 * 60_000, orders: 4, amount: 400_000n });
  expect((await readImpact(database.sql, { kind: "operator", name: "VI" }, NOW, 5)).pending).toBe(1);
  expect((await readImpact(database.sql, { kind: "operator", name: "VI" }, NOW)).pending).toBe(1);
  expect(await readImpact(database.sql, { kind: "service", name: "bus" }, NOW)).toEqual({ ...hour, orders: 0, accounts: 0, amount: 0n });
});
