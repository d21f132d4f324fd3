import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "../audit/list.ts";
import type { Asker } from "./approval.ts";
import { maintainApprovals } from "./approvals-job.ts";
import { approve, type Decided, reject, withdraw } from "./decide-approval.ts";
import { execute } from "./execute.ts";
import { findApproval } from "./store.ts";
import { type ApprovalsFixture, createApprovalsFixture, orderMove, staff, walletMove } from "./testing/fixture.ts";

let fixture: ApprovalsFixture;
beforeAll(async () => {
  fixture = await createApprovalsFixture();
});
afterAll(() => fixture.close());

const maker = staff("MAKER");

async function actionsOf(approvalId: string): Promise<readonly string[]> {
  const trail = await listAudit(fixture.ctx.sql, { before: null, limit: 50, subject: { kind: "approval", id: approvalId } });
  return trail.map((one) => one.action).toReversed();
}

test("of a hundred tries by maker and others one decides, and it is done once", async () => {
  const accountId = await fixture.account();
  const { approvalId } = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
  const people = Array.from({ length: 100 }, (_, number): Asker => (number % 3 === 0 ? maker : staff(`S${number}`)));
  const answers = await Promise.all(people.map((one) => approve(fixture.ctx, one, { approvalId, reason: null })));
  const won = answers.flatMap((answer, place) => (answer.kind === "done" ? [people[place]?.actor] : []));
  expect(won).toHaveLength(1);
  expect(won).not.toContain(maker.actor);
  expect(answers.filter((answer) => answer.kind === "conflict")).toHaveLength(99);
  expect(await fixture.balance(accountId)).toBe(500);
  expect(await actionsOf(approvalId)).toEqual(["approval.asked", "approval.approved", "approval.done"]);
});

test("agreeing, rejecting and withdrawing at once leave one decision, and money only if it was agreed to", async () => {
  for (let round = 0; round < 10; round++) {
    const accountId = await fixture.account();
    const { approvalId } = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
    const tries: readonly Promise<Decided>[] = Array.from({ length: 30 }, (_, number) => {
      if (number % 3 === 0) return withdraw(fixture.ctx, maker, { approvalId, reason: null });
      return (number % 3 === 1 ? approve : reject)(fixture.ctx, staff(`S${number}`), { approvalId, reason: "because" });
    });
    const answers = await Promise.all(tries);
    expect(answers.filter((answer) => answer.kind === "done")).toHaveLength(1);
    const state = (await findApproval(fixture.ctx.sql, approvalId))?.state;
    expect(["done", "rejected", "withdrawn"]).toContain(state);
    expect(await fixture.balance(accountId)).toBe(state === "done" ? 500 : 0);
  }
});

test("who has decided and every process's housekeeping may run it at once: it is done once", async () => {
  const accountId = await fixture.account(50);
  const orderId = await fixture.order(accountId, { state: "SUCCESS" });
  const { approvalId } = await fixture.ask(maker, orderMove("reverse", accountId, orderId));
  const crashing = { ...fixture.ctx, executors: {} };
  await approve(crashing, staff("CHECKER"), { approvalId, reason: null });
  fixture.settings.clock.advance(60_000);
  await Promise.all(
    Array.from({ length: 12 }, (_, number) => (number % 2 ? execute(fixture.ctx, approvalId) : maintainApprovals(fixture.ctx))),
  );
  expect(await fixture.balance(accountId)).toBe(50);
  expect((await actionsOf(approvalId)).filter((action) => action === "approval.done")).toHaveLength(1);
  expect(await fixture.violations()).toBe(0);
});
