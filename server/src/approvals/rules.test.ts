import { expect, test } from "vitest";
import { money } from "../orders/testing/house.ts";
import { type ApprovalRules, isSubject, type RulesChange, reachesThreshold, weakens } from "./rules.ts";

const rules = (more: Partial<ApprovalRules> = {}): ApprovalRules => ({
  walletThreshold: money(1000),
  orderThreshold: null,
  keysIncluded: true,
  expireHours: 24,
  ...more,
});

test.each<[string, RulesChange, boolean]>([
  ["a higher threshold", { walletThreshold: money(1000.0001) }, true],
  ["no threshold", { walletThreshold: null }, true],
  ["a lower threshold", { walletThreshold: money(999) }, false],
  ["the same threshold", { walletThreshold: money(1000) }, false],
  ["another threshold that was off", { orderThreshold: money(5) }, false],
  ["keys no longer included", { keysIncluded: false }, true],
  ["a longer time", { expireHours: 25 }, true],
  ["a shorter time", { expireHours: 1 }, false],
  ["a stricter and a laxer one together", { orderThreshold: money(1), expireHours: 48 }, true],
])("%s: weaker %s → %s", (_, change, weaker) => {
  expect(weakens(rules(), change)).toBe(weaker);
  // What is not in force cannot be weakened.
  expect(weakens(rules({ walletThreshold: null }), change)).toBe(false);
});

test("a threshold counts from its own amount on, for debits as well", () => {
  expect(reachesThreshold(rules(), "wallet", money(1000))).toBe(true);
  expect(reachesThreshold(rules(), "wallet", money(-1000))).toBe(true);
  expect(reachesThreshold(rules(), "wallet", money(999.9999))).toBe(false);
  expect(reachesThreshold(rules(), "reverse", money(1_000_000))).toBe(false);
  for (const kind of ["settle", "reverse", "refund", "cancel", "complaint_refund", "reconcile"] as const)
    expect(reachesThreshold(rules({ orderThreshold: money(10) }), kind, money(10))).toBe(true);
});

test("the staff is subject to the rules, keys when they are included", () => {
  expect(isSubject(rules({ keysIncluded: false }), { kind: "staff" })).toBe(true);
  expect(isSubject(rules({ keysIncluded: false }), { kind: "key" })).toBe(false);
  expect(isSubject(rules(), { kind: "key" })).toBe(true);
});
