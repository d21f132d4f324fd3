import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "../../../../platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "../../../../testing/database.ts";
import { createSeatRegister } from "./seat-register.ts";

let database: TestDatabase;
let narrow: Database;
beforeAll(async () => {
  database = await testDatabase();
  narrow = connect({ url: database.url, connections: 1, role: null });
});
afterAll(async () => {
  await narrow.close();
  await database.drop();
});

test("a claim of a seat that an account at home held before needs no second connection", async () => {
  const register = createSeatRegister(narrow.sql, () => narrow.sql);
  const wanted = { provider: "first", tripId: "T1", seats: ["1A"] };
  const departureAt = 1_800_000_000_000;
  const now = 1_790_000_000_000;
  expect(await register.claim(wanted, { accountId: "A1", blockRef: "B1", departureAt }, now)).toEqual([]);
  // The first block was never written, so that its claim has ended after a minute.
  expect(await register.claim(wanted, { accountId: "A2", blockRef: "B2", departureAt }, now + 61_000)).toEqual([]);
  expect(await register.claim(wanted, { accountId: "A1", blockRef: "B3", departureAt }, now + 62_000)).toEqual(["1A"]);
});
