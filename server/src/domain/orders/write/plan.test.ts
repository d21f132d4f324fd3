import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { money, newOrder } from "../testing/fixture.ts";
import { accept, cancel, failOver, reverse, settle, topUp, watch } from "../testing/operations.ts";
import type { Operation } from "./operations.ts";
import { planBatch } from "./plan.ts";

const NOW = Date.parse("2026-11-15T12:00:00+05:30");
const YESTERDAY = Date.parse("2026-11-14T23:59:59+05:30");
const order = (more: Parameters<typeof newOrder>[1] = {}) => newOrder("A1", { createdAt: NOW, ...more });

describe("a plan", () => {
  const one = order({ fee: money(0.5) });
  const earning = order({ fee: money(0.5), commission: money(0.2) });
  const paying = order({ fee: money(0.5), commission: money(0.2), credit: true });
  test.each<{ name: string; operation: Operation; moves: readonly string[]; deltas: Record<string, bigint> }>([
    { name: "accept", operation: accept(one), moves: ["hold 105000"], deltas: { available: -105_000n, held: 105_000n, day: 100_000n } },
    {
      name: "success",
      operation: settle(one, "SUCCESS"),
      moves: ["capture 100000", "fee 5000"],
      deltas: { held: -105_000n, cleared: 100_000n, fees: 5_000n, day: 0n },
    },
    {
      name: "failure",
      operation: settle(one, "FAILED"),
      moves: ["void 105000"],
      deltas: { available: 105_000n, held: -105_000n, day: -100_000n },
    },
    {
      name: "reversal",
      operation: reverse(one),
      moves: ["reversal 100000", "fee_return 5000"],
      deltas: { available: 105_000n, cleared: -100_000n, fees: -5_000n, day: -100_000n },
    },
    {
      name: "success with a commission",
      operation: settle(earning, "SUCCESS"),
      moves: ["capture 100000", "fee 5000", "commission 2000"],
      deltas: { available: 2_000n, held: -105_000n, cleared: 100_000n, fees: 3_000n },
    },
    {
      name: "failure with a commission",
      operation: settle(earning, "FAILED"),
      moves: ["void 105000"],
      deltas: { available: 105_000n, held: -105_000n, fees: 0n },
    },
    {
      name: "reversal with a commission",
      operation: reverse(earning),
      moves: ["reversal 100000", "fee_return 5000", "commission_back 2000"],
      deltas: { available: 103_000n, cleared: -100_000n, fees: -3_000n },
    },
    {
      name: "reversal of little that is left",
      operation: reverse({ ...earning, fee: money(0), refunded: money(9.9) }),
      moves: ["reversal 1000", "commission_back 1000"],
      deltas: { available: 0n, cleared: -1_000n, fees: 1_000n },
    },
    {
      name: "cancellation of a part",
      operation: cancel(earning, 4, false),
      moves: ["refund 40000"],
      deltas: { available: 40_000n, cleared: -40_000n },
    },
    {
      name: "cancellation of all of it",
      operation: cancel(earning, 4, true),
      moves: ["refund 40000", "commission_back 2000"],
      deltas: { available: 38_000n, cleared: -40_000n, fees: 2_000n },
    },
    {
      name: "cancellation that gives less than was earned",
      operation: cancel(earning, 0.1, true),
      moves: ["refund 1000", "commission_back 1000"],
      deltas: { available: 0n, cleared: -1_000n, fees: 1_000n },
    },
    {
      name: "accept of what pays the wallet",
      operation: accept(paying),
      moves: ["hold 5000"],
      deltas: { available: -5_000n, held: 5_000n },
    },
    {
      name: "success that pays the wallet",
      operation: settle(paying, "SUCCESS"),
      moves: ["credit 100000", "fee 5000", "commission 2000"],
      deltas: { available: 102_000n, held: -5_000n, cleared: -100_000n, fees: 3_000n },
    },
    {
      name: "reversal of what paid the wallet",
      operation: reverse(paying),
      moves: ["fee_return 5000", "credit_back 100000", "commission_back 2000"],
      deltas: { available: -97_000n, cleared: 100_000n, fees: -3_000n },
    },
    { name: "top-up", operation: topUp("A1", 3, "r"), moves: ["topup 30000"], deltas: { available: 30_000n, funding: -30_000n, day: 0n } },
    { name: "debit", operation: topUp("A1", -3, "r"), moves: ["debit 30000"], deltas: { available: -30_000n, funding: 30_000n, day: 0n } },
  ])("$name moves just its own money", ({ operation, moves, deltas }) => {
    const plan = planBatch([operation], NOW);
    expect(plan.transfers.map((transfer) => `${transfer.kind} ${transfer.amount}`)).toEqual(moves);
    expect(plan.wallets.get("A1")).toMatchObject({ ...deltas, rows: moves.length });
  });

  test("has no transfer for a fee or a commission of zero", () => {
    expect(planBatch([settle(order(), "SUCCESS"), reverse(order())], NOW).transfers.map((one) => one.kind)).toEqual([
      "capture",
      "reversal",
    ]);
  });

  test("moves no money for a fail-over", () => {
    const { transfers, wallets } = planBatch([failOver(order(), "second")], NOW);
    expect({ transfers, wallets: wallets.size }).toEqual({ transfers: [], wallets: 0 });
  });

  test("moves no money for a scheduled poll, and names its wallet, which must not have moved to another cell", () => {
    const { transfers, wallets, polls } = planBatch([watch(order())], NOW);
    expect({ transfers, polls: polls.length }).toEqual({ transfers: [], polls: 1 });
    const unchanged = { available: 0n, held: 0n, cleared: 0n, funding: 0n, fees: 0n, rows: 0, day: 0n, dailyLimit: null };
    expect([...wallets.values()]).toEqual([{ accountId: "A1", ...unchanged }]);
  });

  test("subtracts from today's total only recharges of today", () => {
    const old = order({ createdAt: YESTERDAY });
    const bill = order({ service: "bills" });
    expect(planBatch([settle(old, "FAILED")], NOW).wallets.get("A1")?.day).toBe(0n);
    expect(planBatch([accept(bill), settle(bill, "FAILED")], NOW).wallets.get("A1")?.day).toBe(0n);
  });

  test("keeps the daily limit of a recharge, whatever other orders the wallet has in the batch", () => {
    const [recharge, bill] = [order(), order({ service: "bills" })];
    for (const operations of [
      [accept(recharge, money(50)), accept(bill)],
      [accept(bill), accept(recharge, money(50))],
    ])
      expect(planBatch(operations, NOW).wallets.get("A1")).toMatchObject({ dailyLimit: money(50), day: recharge.amount });
  });

  test("puts credits before debits, each in the order of arrival", () => {
    const [a, b, c] = [order(), order(), order()];
    const plan = planBatch([accept(a), topUp("A1", -1, "d"), settle(b, "FAILED"), accept(c), topUp("A1", 5, "t")], NOW);
    expect(plan.transfers.map((one) => one.kind)).toEqual(["void", "topup", "hold", "debit", "hold"]);
    expect(plan.accepts.map((one) => one.order)).toEqual([a, c]);
  });
});

const operations = fc.array(
  fc.record({
    account: fc.constantFrom("A1", "A2", "A3"),
    kind: fc.constantFrom("accept", "success", "failure", "reverse", "topup", "debit", "schedule poll"),
    amount: fc.integer({ min: 1, max: 10_000 }),
    fee: fc.integer({ min: 0, max: 3 }),
    commission: fc.integer({ min: 0, max: 1 }),
    credit: fc.boolean(),
  }),
  { maxLength: 30 },
);

test("for any batch, every wallet's buckets sum to zero, its positions have no gap and its offsets follow the transfers", () => {
  fc.assert(
    fc.property(operations, (wanted) => {
      const plan = planBatch(
        wanted.map(({ account, kind, amount, fee, commission, credit }, place): Operation => {
          const one = newOrder(account, { amount: money(amount), fee: money(fee), commission: money(commission), credit, createdAt: NOW });
          if (kind === "accept") return accept(one);
          if (kind === "success") return settle(one, "SUCCESS");
          if (kind === "failure") return settle(one, "FAILED");
          if (kind === "reverse") return reverse(one);
          return kind === "schedule poll" ? watch(one) : topUp(account, kind === "debit" ? -amount : amount, `r${place}`);
        }),
        NOW,
      );
      for (const wallet of plan.wallets.values()) {
        expect(wallet.available + wallet.held + wallet.cleared + wallet.funding + wallet.fees).toBe(0n);
        const own = plan.transfers.filter((transfer) => transfer.accountId === wallet.accountId);
        expect(own.map((transfer) => transfer.position)).toEqual(own.map((_, place) => place + 1));
        expect(wallet.rows).toBe(own.length);
        expect(own.at(-1)?.availableOffset ?? 0n).toBe(wallet.available);
      }
    }),
  );
});
