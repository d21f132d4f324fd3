import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "../audit/list.ts";
import type { Asker } from "./approval.ts";
import { approve, type Decided, reject, withdraw } from "./decide-approval.ts";
import { execute } from "./execute.ts";
import { lookAfterApprovals } from "./look-after.ts";
import { findApproval } from "./store.ts";
import { type ApprovalsHouse, openApprovalsHouse, orderMove, staff, walletMove } from "./testing/house.ts";

let house: ApprovalsHouse;
beforeAll(async () => {
  house = await openApprovalsHouse();
});
afterAll(() => house.close());

const maker = staff("MAKER");

async function actionsOf(approvalId: string): Promise<readonly string[]> {
  const trail = await listAudit(house.ctx.sql, { before: null, limit: 50, subject: { kind: "approval", id: approvalId } });
  return trail.map((one) => one.action).toReversed();
}

test("of a hundred tries by maker and others one decides, and it is done once", async () => {
  const accountId = await house.account();
  const { approvalId } = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
  const people = Array.from({ length: 100 }, (_, number): Asker => (number % 3 === 0 ? maker : staff(`S${number}`)));
  const answers = await Promise.all(people.map((one) => approve(house.ctx, one, { approvalId, reason: null })));
  const won = answers.flatMap((answer, place) => (answer.kind === "done" ? [people[place]?.actor] : []));
  expect(won).toHaveLength(1);
  expect(won).not.toContain(maker.actor);
  expect(answers.filter((answer) => answer.kind === "conflict")).toHaveLength(99);
  expect(await house.balance(accountId)).toBe(500);
  expect(await actionsOf(approvalId)).toEqual(["approval.asked", "approval.approved", "approval.done"]);
});

test("agreeing, rejecting and withdrawing at once leave one decision, and money only if it was agreed to", async () => {
  for (let round = 0; round < 10; round++) {
    const accountId = await house.account();
    const { approvalId } = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
    const tries: readonly Promise<Decided>[] = Array.from({ length: 30 }, (_, number) => {
      if (number % 3 === 0) return withdraw(house.ctx, maker, { approvalId, reason: null });
      return (number % 3 === 1 ? approve : reject)(house.ctx, staff(`S${number}`), { approvalId, reason: "because" });
    });
    const answers = await Promise.all(tries);
    expect(answers.filter((answer) => answer.kind === "done")).toHaveLength(1);
    const state = (await findApproval(house.ctx.sql, approvalId))?.state;
    expect(["done", "rejected", "withdrawn"]).toContain(state);
    expect(await house.balance(accountId)).toBe(state === "done" ? 500 : 0);
  }
});

test("who has decided and every process's housekeeping may run it at once: it is done once", async () => {
  const accountId = await house.account(50);
  const orderId = await house.order(accountId, { state: "SUCCESS" });
  const { approvalId } = await house.ask(maker, orderMove("reverse", accountId, orderId));
  const crashing = { ...house.ctx, executors: {} };
  await approve(crashing, staff("CHECKER"), { approvalId, reason: null });
  house.settings.clock.advance(60_000);
  await Promise.all(
    Array.from({ length: 12 }, (_, number) => (number % 2 ? execute(house.ctx, approvalId) : lookAfterApprovals(house.ctx))),
  );
  expect(await house.balance(accountId)).toBe(50);
  expect((await actionsOf(approvalId)).filter((action) => action === "approval.done")).toHaveLength(1);
  expect(await house.violations()).toBe(0);
});
