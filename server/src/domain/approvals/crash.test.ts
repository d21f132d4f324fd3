import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApprovalsContext, Executor } from "./context.ts";
import { approve } from "./decide-approval.ts";
import { lookAfterApprovals } from "./look-after.ts";
import { findApproval } from "./store.ts";
import { type ApprovalsHouse, openApprovalsHouse, staff, walletMove } from "./testing/house.ts";

let house: ApprovalsHouse;
beforeAll(async () => {
  house = await openApprovalsHouse();
});
afterAll(() => house.close());

const [maker, checker] = [staff("MAKER"), staff("CHECKER")];
const stateOf = async (approvalId: string) => (await findApproval(house.ctx.sql, approvalId))?.state;

/** A process that dies where its executor stands. */
function dying(executor: Executor): ApprovalsContext {
  return { ...house.ctx, executors: { ...house.ctx.executors, wallet: executor } };
}

const own = (): Executor => {
  const executor = house.ctx.executors.wallet;
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
  const accountId = await house.account();
  const { approvalId } = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
  const decided = await approve(dying(executor()), checker, { approvalId, reason: null });
  expect(decided).toMatchObject({ kind: "done", approval: { decidedBy: checker.actor } });
  const left = await stateOf(approvalId);
  expect(await house.balance(accountId)).toBe(left === "done" ? 500 : 0);
  await lookAfterApprovals(house.ctx);
  expect(await stateOf(approvalId)).toBe(left);
  house.settings.clock.advance(60_000);
  await lookAfterApprovals(house.ctx);
  await lookAfterApprovals(house.ctx);
  expect([await stateOf(approvalId), await house.balance(accountId)]).toEqual(["done", 500]);
  expect(await house.violations()).toBe(0);
});

test("one that cannot be done yet does not keep the others from it", async () => {
  const [stuck, fine] = [await house.account(), await house.account()];
  const waiting = [await house.ask(maker, walletMove(stuck, 500, "a")), await house.ask(maker, walletMove(fine, 500, "b"))];
  const failing: Executor = { run: () => Promise.reject(new Error("died")) };
  for (const { approvalId } of waiting) await approve(dying(failing), checker, { approvalId, reason: null });
  house.settings.clock.advance(60_000);
  const partly: Executor = {
    run: (tx, one, at) => (one.accountId === stuck ? Promise.reject(new Error("not yet")) : own().run(tx, one, at)),
  };
  await lookAfterApprovals(dying(partly));
  expect([await house.balance(stuck), await house.balance(fine)]).toEqual([0, 500]);
  await lookAfterApprovals(house.ctx);
  expect(await house.balance(stuck)).toBe(500);
});

test("work that goes on outside is begun once and asked after until it has ended", async () => {
  const accountId = await house.account();
  const { approvalId } = await house.ask(maker, walletMove(accountId, 500, "bank-1"));
  const calls = { run: 0, carryOn: 0 };
  const slow: Executor = {
    run: async () => {
      calls.run++;
      return { kind: "begun" };
    },
    carryOn: async () => {
      calls.carryOn++;
      return calls.carryOn < 3 ? { kind: "begun" } : { kind: "done", result: { status: "FAILED" } };
    },
  };
  await approve(dying(slow), checker, { approvalId, reason: null });
  expect(await stateOf(approvalId)).toBe("approved");
  house.settings.clock.advance(60_000);
  await lookAfterApprovals(dying(slow));
  await lookAfterApprovals(dying(slow));
  await lookAfterApprovals(dying(slow));
  expect([calls, await stateOf(approvalId)]).toEqual([{ run: 1, carryOn: 3 }, "done"]);
});
