import { expect, test } from "vitest";
import { testDatabase } from "../../../testing/database.ts";
import { sweepAttempts } from "./sweep-attempts.ts";

test("attempts before the time are deleted in steps, and later ones stay", async () => {
  const database = await testDatabase();
  try {
    const { sql } = database;
    await sql`
      insert into callback_attempts (account_id, callback_id, attempt, at, url, version, milliseconds)
      select 'A1', 'C' || n, 1, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', 'https://a.example', 3, 5
      from generate_series(0, 2400) n`;
    expect(await sweepAttempts(sql, new Date("2026-01-02T16:00:00Z"))).toBe(2400);
    const left = await sql<{ callback_id: string }[]>`select callback_id from callback_attempts`;
    expect(left.map((row) => row.callback_id)).toEqual(["C2400"]);
  } finally {
    await database.drop();
  }
});
