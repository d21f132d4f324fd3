import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "../audit/list.ts";
import { askApproval } from "./ask-approval.ts";
import { approve, reject, withdraw } from "./decide-approval.ts";
import { lookAfterApprovals } from "./look-after.ts";
import { countWaiting, findApproval } from "./store.ts";
import { type ApprovalsHouse, openApprovalsHouse, orderMove, staff, walletMove } from "./testing/house.ts";

let house: ApprovalsHouse;
beforeAll(async () => {
  house = await openApprovalsHouse();
});
afterAll(() => house.close());

const HOUR = 60 * 60 * 1000;
const [maker, checker] = [staff("MAKER"), staff("CHECKER")];
const stateOf = async (approvalId: string) => (await findApproval(house.ctx.sql, approvalId))?.state;

test("nothing moves before somebody else agrees, and then it moves once", async () => {
  const accountId = await house.account(100);
  const { approvalId } = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
  expect(await house.balance(accountId)).toBe(100);
  const decided = await approve(house.ctx, checker, { approvalId, reason: "seen in the bank" });
  expect(decided).toMatchObject({
    kind: "done",
    approval: {
      state: "done",
      madeBy: maker.actor,
      decidedBy: checker.actor,
      reason: "seen in the bank",
      result: { balance_before: "100.0000", balance: "600.0000", entry_id: `${accountId}-2` },
    },
  });
  expect(await house.balance(accountId)).toBe(600);
  expect(await approve(house.ctx, staff("THIRD"), { approvalId, reason: null })).toEqual({
    kind: "conflict",
    reason: "The approval is done.",
  });
  expect(await house.balance(accountId)).toBe(600);
});

test("the trail names who asked and who agreed", async () => {
  const accountId = await house.account();
  const { approvalId } = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
  await approve(house.ctx, checker, { approvalId, reason: null });
  const [entry] = await listAudit(house.ctx.sql, { before: null, limit: 1, subject: { kind: "account", id: accountId } });
  expect(entry).toMatchObject({ actor: checker.actor, action: "wallet.topped_up" });
  expect(JSON.parse(entry?.details ?? "")).toMatchObject({ approval_id: approvalId, made_by: maker.actor, reference: "bank-1" });
  const trail = await listAudit(house.ctx.sql, { before: null, limit: 9, subject: { kind: "approval", id: approvalId } });
  expect(trail.map((one) => [one.action, one.actor]).toReversed()).toEqual([
    ["approval.asked", maker.actor],
    ["approval.approved", checker.actor],
    ["approval.done", checker.actor],
  ]);
});

test("nobody decides what they have asked for, also not with a key of their own", async () => {
  const accountId = await house.account();
  const { approvalId } = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
  const ownKey = { kind: "key", actor: "key:K1", person: maker.person } as const;
  for (const one of [maker, ownKey])
    for (const verb of [approve, reject])
      expect(await verb(house.ctx, one, { approvalId, reason: "mine" })).toMatchObject({
        kind: "conflict",
        reason: expect.stringContaining("yourself"),
      });
  expect([await stateOf(approvalId), await house.balance(accountId)]).toEqual(["waiting", 0]);
  expect(await withdraw(house.ctx, checker, { approvalId, reason: null })).toMatchObject({ kind: "conflict" });
  expect(await withdraw(house.ctx, ownKey, { approvalId, reason: null })).toMatchObject({
    approval: { state: "withdrawn", decidedBy: "key:K1", checkerPerson: null },
  });
});

test("what is rejected does not happen, and can be asked for again", async () => {
  const accountId = await house.account();
  const first = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
  expect(await reject(house.ctx, checker, { approvalId: first.approvalId, reason: "no such transfer" })).toMatchObject({
    approval: { state: "rejected", reason: "no such transfer", checkerPerson: checker.person },
  });
  expect(await house.balance(accountId)).toBe(0);
  const second = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
  expect(second.approvalId).not.toBe(first.approvalId);
  await approve(house.ctx, checker, { approvalId: second.approvalId, reason: null });
  expect(await house.balance(accountId)).toBe(500);
});

test("the same asked for twice waits once; another amount under the same reference is refused", async () => {
  const accountId = await house.account();
  const asked = await Promise.all(Array.from({ length: 20 }, () => askApproval(house.ctx, maker, walletMove(accountId, 500, "bank-1"))));
  const ids = new Set(asked.map((one) => one.kind === "waits" && one.approval.approvalId));
  expect(ids.size).toBe(1);
  const other = await askApproval(house.ctx, maker, walletMove(accountId, 501, "bank-1"));
  expect(other).toEqual({ kind: "conflict", reason: expect.stringContaining([...ids][0] as string) });
});

test("one order has one open approval, whatever is to be done with it", async () => {
  const accountId = await house.account(50);
  const orderId = await house.order(accountId, { state: "pending" });
  await house.ask(maker, orderMove("settle", accountId, orderId, { status: "FAILED" }));
  expect(await askApproval(house.ctx, checker, orderMove("settle", accountId, orderId, { status: "SUCCESS" }))).toMatchObject({
    kind: "conflict",
  });
});

test("an approval ends by itself when its time is over, and decides nothing any more", async () => {
  const accountId = await house.account();
  const [late, swept] = [
    await house.ask(maker, walletMove(accountId, 500, "late")),
    await house.ask(maker, walletMove(accountId, 5, "swept")),
  ];
  house.settings.clock.advance(24 * HOUR);
  expect(await approve(house.ctx, checker, { approvalId: late.approvalId, reason: null })).toEqual({
    kind: "conflict",
    reason: "The approval has expired.",
  });
  const again = await house.ask(maker, walletMove(accountId, 500, "late"));
  expect([await stateOf(late.approvalId), await stateOf(swept.approvalId)]).toEqual(["expired", "waiting"]);
  await lookAfterApprovals(house.ctx);
  expect([await stateOf(swept.approvalId), await stateOf(again.approvalId)]).toEqual(["expired", "waiting"]);
  expect(await house.balance(accountId)).toBe(0);
});

test("what cannot be done any more fails and says why", async () => {
  const accountId = await house.account(100);
  const debit = await house.ask(maker, walletMove(accountId, -100, "out"));
  const orderId = await house.order(accountId, { state: "SUCCESS" });
  expect(await approve(house.ctx, checker, { approvalId: debit.approvalId, reason: null })).toMatchObject({
    approval: { state: "failed", result: { reason: "The wallet does not hold that much." } },
  });
  const reversal = await house.ask(maker, orderMove("reverse", accountId, orderId));
  await house.ctx.sql`update orders set state = 2 where account_id = ${accountId} and order_id = ${orderId}`;
  expect(await approve(house.ctx, checker, { approvalId: reversal.approvalId, reason: null })).toMatchObject({
    approval: { state: "failed", result: { reason: "The order is FAILED." } },
  });
  expect(await house.balance(accountId)).toBe(90);
});

test("the waiting ones are counted", async () => {
  const before = await countWaiting(house.ctx.sql);
  await house.ask(maker, walletMove(await house.account(), 5, "one"));
  expect(await countWaiting(house.ctx.sql)).toBe(before + 1);
});
