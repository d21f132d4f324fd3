import { afterAll, beforeAll, expect, test } from "vitest";
import { maintainApprovals } from "./approvals-job.ts";
import type { ApprovalsContext, Executor } from "./context.ts";
import { approve } from "./decide-approval.ts";
import { findApproval } from "./store.ts";
import { type ApprovalsFixture, createApprovalsFixture, staff, walletMove } from "./testing/fixture.ts";

let fixture: ApprovalsFixture;
beforeAll(async () => {
  fixture = await createApprovalsFixture();
});
afterAll(() => fixture.close());

const [maker, checker] = [staff("MAKER"), staff("CHECKER")];
const stateOf = async (approvalId: string) => (await findApproval(fixture.ctx.sql, approvalId))?.state;

/** A process that dies where its executor stands. */
function dying(executor: Executor): ApprovalsContext {
  return { ...fixture.ctx, executors: { ...fixture.ctx.executors, wallet: executor } };
}

const own = (): Executor => {
  const executor = fixture.ctx.executors.wallet;
  if (!executor) throw new Error("There is no executor of wallets.");
  return executor;
};

test.each<[string, () => Executor]>([
  ["before it began", () => ({ run: () => Promise.reject(new Error("died")) })],
  [
    "with everything written and nothing committed",
    () => ({
      run: async (tx, one, at) => {
        await own().run(tx, one, at);
        throw new Error("died");
      },
    }),
  ],
  [
    "after the commit",
    () => ({
      ...own(),
      after: () => {
        throw new Error("died");
      },
    }),
  ],
])("a process that dies %s has it done once", async (_, executor) => {
  const accountId = await fixture.account();
  const { approvalId } = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
  const decided = await approve(dying(executor()), checker, { approvalId, reason: null });
  expect(decided).toMatchObject({ kind: "done", approval: { decidedBy: checker.actor } });
  const left = await stateOf(approvalId);
  expect(await fixture.balance(accountId)).toBe(left === "done" ? 500 : 0);
  await maintainApprovals(fixture.ctx);
  expect(await stateOf(approvalId)).toBe(left);
  fixture.settings.clock.advance(60_000);
  await maintainApprovals(fixture.ctx);
  await maintainApprovals(fixture.ctx);
  expect([await stateOf(approvalId), await fixture.balance(accountId)]).toEqual(["done", 500]);
  expect(await fixture.violations()).toBe(0);
});

test("one that cannot be done yet does not keep the others from it", async () => {
  const [stuck, fine] = [await fixture.account(), await fixture.account()];
  const waiting = [await fixture.ask(maker, walletMove(stuck, 500, "a")), await fixture.ask(maker, walletMove(fine, 500, "b"))];
  const failing: Executor = { run: () => Promise.reject(new Error("died")) };
  for (const { approvalId } of waiting) await approve(dying(failing), checker, { approvalId, reason: null });
  fixture.settings.clock.advance(60_000);
  const partly: Executor = {
    run: (tx, one, at) => (one.accountId === stuck ? Promise.reject(new Error("not yet")) : own().run(tx, one, at)),
  };
  await maintainApprovals(dying(partly));
  expect([await fixture.balance(stuck), await fixture.balance(fine)]).toEqual([0, 500]);
  await maintainApprovals(fixture.ctx);
  expect(await fixture.balance(stuck)).toBe(500);
});

test("work that goes on outside is begun once and asked after until it has ended", async () => {
  const accountId = await fixture.account();
  const { approvalId } = await fixture.ask(maker, walletMove(accountId, 500, "bank-1"));
  const calls = { run: 0, resume: 0 };
  const slow: Executor = {
    run: async () => {
      calls.run++;
      return { kind: "begun" };
    },
    resume: async () => {
      calls.resume++;
      return calls.resume < 3 ? { kind: "begun" } : { kind: "done", result: { status: "FAILED" } };
    },
  };
  await approve(dying(slow), checker, { approvalId, reason: null });
  expect(await stateOf(approvalId)).toBe("approved");
  fixture.settings.clock.advance(60_000);
  await maintainApprovals(dying(slow));
  await maintainApprovals(dying(slow));
  await maintainApprovals(dying(slow));
  expect([calls, await stateOf(approvalId)]).toEqual([{ run: 1, resume: 3 }, "done"]);
});
