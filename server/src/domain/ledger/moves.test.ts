import { expect, test } from "vitest";
import { testDatabase } from "../../testing/database.ts";
import { MOVES } from "./moves.ts";

test("the database and the code define the same kinds of transfers", async () => {
  const database = await testDatabase();
  const rows = await database.sql<{ kind: string; from_bucket: string; to_bucket: string }[]>`
    select kind, from_bucket, to_bucket from transfer_kinds`;
  await database.drop();
  expect(Object.fromEntries(rows.map((row) => [row.kind, { from: row.from_bucket, to: row.to_bucket }]))).toEqual(MOVES);
});
