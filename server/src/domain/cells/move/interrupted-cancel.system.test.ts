import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "../../../platform/db/connection.ts";
import { cancelMove, moveAccount } from "./move-account.ts";
import { Killed, startTwoCells, TEN_RUPEES, type TwoCells } from "./testing/two-cells.ts";

let cells: TwoCells;

beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(async () => await cells?.stop());

test("the move of an account is safe to repeat after a cancel that was killed when it had emptied the copy", async () => {
  const accountId = await cells.newAccount();
  await expect(moveAccount(cells.killedBefore("switch"), accountId, 1)).rejects.toThrow(Killed);
  await expect(cancelMove(killedAfterTarget(), accountId)).rejects.toThrow(Killed);
  expect(await cells.countAccounts(1, accountId)).toBe(0);
  expect(await moveAccount(cells.moving(), accountId, 1)).toMatchObject({ kind: "done" });
  expect([await cells.countAccounts(0, accountId), await cells.countAccounts(1, accountId)]).toEqual([0, 1]);
  expect(await cells.balanceIn(1, accountId)).toBe(TEN_RUPEES);
});

test("a cancel that was killed when it had emptied the copy is completed by the next one", async () => {
  const accountId = await cells.newAccount();
  await expect(moveAccount(cells.killedBefore("switch"), accountId, 1)).rejects.toThrow(Killed);
  await expect(cancelMove(killedAfterTarget(), accountId)).rejects.toThrow(Killed);
  expect(await cancelMove(cells.moving(), accountId)).toMatchObject({ kind: "done" });
  await cells.topUp(0, accountId, "second");
  expect(await cells.balanceIn(0, accountId)).toBe(2n * TEN_RUPEES);
});

/** A command that is killed as soon as it has changed cell 1. */
function killedAfterTarget() {
  let isChanged = false;
  const begin = (cell: number, sql: Sql) => async (work: Parameters<Sql["begin"]>[1]) => {
    if (isChanged) throw new Killed();
    const result = await sql.begin(work);
    isChanged ||= cell === 1;
    return result;
  };
  const killable = (cell: number, sql: Sql): Sql =>
    new Proxy(sql, { get: (target, name) => (name === "begin" ? begin(cell, sql) : Reflect.get(target, name)) });
  const { cells: all } = cells.moving();
  return cells.moving({ cells: all.map(({ cell, sql }) => ({ cell, sql: killable(cell, sql) })) });
}
