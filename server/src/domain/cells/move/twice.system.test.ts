import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAlert, watchBalances } from "../../../api/portal/wallet/balance-alert.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import { addProviderComplaints, claimProviderComplaints } from "../../complaints/provider-complaints-store.ts";
import { contextOf, newOrder } from "../../orders/testing/fixture.ts";
import { moveAccount } from "./move-account.ts";
import { Killed, startTwoCells, type TwoCells } from "./testing/two-cells.ts";

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(() => cells.stop());

/** Runs a background job in both cells: while the account is between them, and after its move. */
async function runAroundMove(accountId: string, job: (cell: number) => Promise<unknown>): Promise<void> {
  await expect(moveAccount(cells.killedBefore("switch"), accountId, 1)).rejects.toThrow(Killed);
  for (const cell of [0, 1]) await job(cell);
  await expect(moveAccount(cells.killedBefore("clean"), accountId, 1)).rejects.toThrow(Killed);
  for (const cell of [0, 1]) await job(cell);
  expect(await moveAccount(cells.moving(), accountId, 1)).toMatchObject({ kind: "done" });
  for (const cell of [0, 1]) await job(cell);
}

test("a balance that fell below its line before a move is mailed once", async () => {
  const accountId = await cells.newAccount();
  await changeAlert(cells.accounts, "test", { accountId, alert: { threshold: moneyOf(1n), emails: ["asha@shop.example"] } });
  // As if the balance had fallen since the last look.
  await cells.sqlOf(0)`update low_balance_alerts set threshold = 900000 where account_id = ${accountId}`;
  const mailed: string[] = [];
  const mail = { send: async ({ to }: { to: string }) => mailed.push(to) > 0 };
  await runAroundMove(accountId, (cell) => watchBalances({ sql: cells.processSqlOf(cell), clock: cells.clock, mail }));
  expect(mailed).toEqual(["asha@shop.example"]);
});

test("a complaint that is due when the account moves is passed on once", async () => {
  const accountId = await cells.newAccount();
  const sql = cells.processSqlOf(0);
  const order = newOrder(accountId, { provider: "first" });
  await contextOf(sql, sql, cells.clock).writer.write({ kind: "accept", order, dailyLimit: null });
  await sql`
    insert into complaints (account_id, complaint_ref, order_id, reason_code, description, raised_at, due_by)
    values (${accountId}, 'CMP1', ${order.orderId}, 'other', '', now(), now())`;
  await addProviderComplaints(sql, ["first"], cells.clock.now());
  const claimed: string[] = [];
  await runAroundMove(accountId, async (cell) => {
    const due = await claimProviderComplaints(cells.processSqlOf(cell), cells.clock.now(), 10);
    claimed.push(...due.map(({ complaintRef }) => complaintRef));
  });
  expect(claimed).toEqual(["CMP1"]);
});
