import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "../audit/list.ts";
import { maintainApprovals } from "./approvals-job.ts";
import { askApproval } from "./ask-approval.ts";
import { approve, reject, withdraw } from "./decide-approval.ts";
import { countWaiting, findApproval } from "./store.ts";
import { type ApprovalsFixture, createApprovalsFixture, orderMove, staff, walletMove } from "./testing/fixture.ts";

let fixture: ApprovalsFixture;
beforeAll(async () => {
  fixture = await createApprovalsFixture();
});
afterAll(() => fixture.close());

const HOUR = 60 * 60 * 1000;
const [maker, checker] = [staff("MAKER"), staff("CHECKER")];
const stateOf = async (approvalId: string) => (await findApproval(fixture.ctx.sql, approvalId))?.state;

test("nothing moves before somebody else agrees, and then it moves once", async () => {
  const accountId = await fixture.account(100);
  const { approvalId } = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
  expect(await fixture.balance(accountId)).toBe(100);
  const decided = await approve(fixture.ctx, checker, { approvalId, reason: "seen in the bank" });
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
  expect(await fixture.balance(accountId)).toBe(600);
  expect(await approve(fixture.ctx, staff("THIRD"), { approvalId, reason: null })).toEqual({
    kind: "conflict",
    reason: "The approval is done.",
  });
  expect(await fixture.balance(accountId)).toBe(600);
});

test("the audit log names who asked and who agreed", async () => {
  const accountId = await fixture.account();
  const { approvalId } = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
  await approve(fixture.ctx, checker, { approvalId, reason: null });
  const [entry] = await listAudit(fixture.ctx.sql, { before: null, limit: 1, subject: { kind: "account", id: accountId } });
  expect(entry).toMatchObject({ actor: checker.actor, action: "wallet.topped_up" });
  expect(JSON.parse(entry?.details ?? "")).toMatchObject({ approval_id: approvalId, made_by: maker.actor, reference: "bank-1" });
  const trail = await listAudit(fixture.ctx.sql, { before: null, limit: 9, subject: { kind: "approval", id: approvalId } });
  expect(trail.map((one) => [one.action, one.actor]).toReversed()).toEqual([
    ["approval.asked", maker.actor],
    ["approval.approved", checker.actor],
    ["approval.done", checker.actor],
  ]);
});

test("a requester cannot decide their own request, also not with a key of their own", async () => {
  const accountId = await fixture.account();
  const { approvalId } = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
  const ownKey = { kind: "key", actor: "key:K1", person: maker.person } as const;
  for (const one of [maker, ownKey])
    for (const verb of [approve, reject])
      expect(await verb(fixture.ctx, one, { approvalId, reason: "mine" })).toMatchObject({
        kind: "conflict",
        reason: expect.stringContaining("yourself"),
      });
  expect([await stateOf(approvalId), await fixture.balance(accountId)]).toEqual(["waiting", 0]);
  expect(await withdraw(fixture.ctx, checker, { approvalId, reason: null })).toMatchObject({ kind: "conflict" });
  expect(await withdraw(fixture.ctx, ownKey, { approvalId, reason: null })).toMatchObject({
    approval: { state: "withdrawn", decidedBy: "key:K1", checkerPerson: null },
  });
});

test("what is rejected does not happen, and can be asked for again", async () => {
  const accountId = await fixture.account();
  const first = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
  expect(await reject(fixture.ctx, checker, { approvalId: first.approvalId, reason: "no such transfer" })).toMatchObject({
    approval: { state: "rejected", reason: "no such transfer", checkerPerson: checker.person },
  });
  expect(await fixture.balance(accountId)).toBe(0);
  const second = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
  expect(second.approvalId).not.toBe(first.approvalId);
  await approve(fixture.ctx, checker, { approvalId: second.approvalId, reason: null });
  expect(await fixture.balance(accountId)).toBe(500);
});

test("the same asked for twice waits once; another amount under the same reference is refused", async () => {
  const accountId = await fixture.account();
  const asked = await Promise.all(Array.from({ length: 20 }, () => askApproval(fixture.ctx, maker, walletMove(accountId, 500, "bank-1"))));
  const ids = new Set(asked.map((one) => one.kind === "waits" && one.approval.approvalId));
  expect(ids.size).toBe(1);
  const other = await askApproval(fixture.ctx, maker, walletMove(accountId, 501, "bank-1"));
  expect(other).toEqual({ kind: "conflict", reason: expect.stringContaining([...ids][0] as string) });
});

test("one order has one open approval, whatever is to be done with it", async () => {
  const accountId = await fixture.account(50);
  const orderId = await fixture.order(accountId, { state: "pending" });
  await fixture.ask(maker, orderMove("settle", accountId, orderId, { status: "FAILED" }));
  expect(await askApproval(fixture.ctx, checker, orderMove("settle", accountId, orderId, { status: "SUCCESS" }))).toMatchObject({
    kind: "conflict",
  });
});

test("an approval ends by itself when its time is over, and decides nothing any more", async () => {
  const accountId = await fixture.account();
  const [late, swept] = [
    await fixture.ask(maker, walletMove(accountId, 500, "late")),
    await fixture.ask(maker, walletMove(accountId, 5, "swept")),
  ];
  fixture.settings.clock.advance(24 * HOUR);
  expect(await approve(fixture.ctx, checker, { approvalId: late.approvalId, reason: null })).toEqual({
    kind: "conflict",
    reason: "The approval has expired.",
  });
  const again = await fixture.ask(maker, walletMove(accountId, 500, "late"));
  expect([await stateOf(late.approvalId), await stateOf(swept.approvalId)]).toEqual(["expired", "waiting"]);
  await maintainApprovals(fixture.ctx);
  expect([await stateOf(swept.approvalId), await stateOf(again.approvalId)]).toEqual(["expired", "waiting"]);
  expect(await fixture.balance(accountId)).toBe(0);
});

test("what cannot be done any more fails and says why", async () => {
  const accountId = await fixture.account(100);
  const debit = await fixture.ask(maker, walletMove(accountId, -100, "out"));
  const orderId = await fixture.order(accountId, { state: "SUCCESS" });
  expect(await approve(fixture.ctx, checker, { approvalId: debit.approvalId, reason: null })).toMatchObject({
    approval: { state: "failed", result: { reason: "The wallet does not hold that much." } },
  });
  const reversal = await fixture.ask(maker, orderMove("reverse", accountId, orderId));
  await fixture.ctx.sql`update orders set state = 2 where account_id = ${accountId} and order_id = ${orderId}`;
  expect(await approve(fixture.ctx, checker, { approvalId: reversal.approvalId, reason: null })).toMatchObject({
    approval: { state: "failed", result: { reason: "The order is FAILED." } },
  });
  expect(await fixture.balance(accountId)).toBe(90);
});

test("the waiting ones are counted", async () => {
  const before = await countWaiting(fixture.ctx.sql, null);
  await fixture.ask(maker, walletMove(await fixture.account(), 5, "one"));
  expect(await countWaiting(fixture.ctx.sql, null)).toBe(before + 1);
});
