import { afterAll, beforeAll, expect, test } from "vitest";
import { moveAccount } from "../../domain/cells/move/move-account.ts";
import { startTwoCells, type TwoCells } from "../../domain/cells/move/testing/two-cells.ts";
import type { OperatorApiDependencies, OperatorCells } from "./dependencies.ts";
import { type Addressed, runInCells } from "./run-in-cells.ts";

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(async () => await cells?.stop());

/** The dependencies of a process for which every account is at home, because it has not learnt of a move. */
function homeOf(): OperatorApiDependencies {
  const home = { sql: cells.processSqlOf(0) } as OperatorApiDependencies;
  const own: Partial<OperatorCells> = { ofAccount: () => home, ofId: () => [home], prepareChange: async () => {} };
  return Object.assign(home, { cells: own as OperatorCells });
}

const request = (params: Addressed["params"]): Addressed => ({ method: "POST", params, query: {}, body: {} });
const MOVED = { code: "ACCOUNT_MOVED" };

test("a change by staff is not confirmed when the account left its cell meanwhile", async () => {
  const accountId = await cells.newAccount();
  const change = (run: () => Promise<unknown>) => runInCells(homeOf(), undefined, request({ account_id: accountId }), run);
  expect(await change(async () => "changed")).toMatchObject({ result: "changed" });
  await expect(change(async () => await moveAccount(cells.moving(), accountId, 1))).rejects.toMatchObject(MOVED);
});

test("a change of a record is not confirmed when its account left the cell meanwhile", async () => {
  const accountId = await cells.newAccount();
  await cells.sqlOf(0)`
    insert into complaints (account_id, complaint_ref, order_id, request_id, reason_code, description, raised_at, due_by)
    values (${accountId}, ${`CMP${accountId}`}, '01', 'r1', 'other', '', now(), now())`;
  const decide = (run: () => Promise<unknown>) => runInCells(homeOf(), undefined, request({ complaint_ref: `CMP${accountId}` }), run);
  expect(await decide(async () => "decided")).toMatchObject({ result: "decided" });
  await expect(decide(async () => await moveAccount(cells.moving(), accountId, 1))).rejects.toMatchObject(MOVED);
});
