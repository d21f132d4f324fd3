import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "../../../platform/db/connection.ts";
import { plainUserDatabase } from "../../../testing/database.ts";
import { cancelMove, moveAccount } from "./move-account.ts";
import { Killed, startTwoCells, TEN_RUPEES, type TwoCells } from "./testing/two-cells.ts";

let cells: TwoCells;

beforeAll(async () => {
  cells = await startTwoCells(plainUserDatabase);
});
afterAll(async () => await cells?.stop());

/** What the user may do with each table. */
async function rightsIn(sql: Sql): Promise<readonly object[]> {
  return [...(await sql`select relname::text as name, relacl::text as rights from pg_class where relkind in ('r', 'p') order by 1`)];
}

test("an account moves, and a move is cancelled, also where the database user has lost the right to change history", async () => {
  const accountId = await cells.newAccount();
  const before = [await rightsIn(cells.sqlOf(0)), await rightsIn(cells.sqlOf(1))];
  await expect(moveAccount(cells.killedBefore("switch"), accountId, 1)).rejects.toThrow(Killed);
  expect(await cancelMove(cells.moving(), accountId)).toMatchObject({ kind: "done" });
  expect(await moveAccount(cells.moving(), accountId, 1)).toMatchObject({ kind: "done" });
  await cells.topUp(1, accountId, "second");
  expect(await cells.balanceIn(1, accountId)).toBe(2n * TEN_RUPEES);
  expect([await rightsIn(cells.sqlOf(0)), await rightsIn(cells.sqlOf(1))]).toEqual(before);
  await expect(cells.sqlOf(1)`delete from transfers`).rejects.toThrow("permission denied");
});
