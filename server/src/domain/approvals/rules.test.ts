import { expect, test } from "vitest";
import { money } from "../orders/testing/fixture.ts";
import { APPROVAL_KINDS } from "./approval.ts";
import { type ApprovalRules, areaOf, isSubject, needsApprovalAlways, type RulesChange, weakens } from "./rules.ts";

const rules = (more: Partial<ApprovalRules> = {}): ApprovalRules => ({
  walletThreshold: money(1000),
  orderThreshold: null,
  keysIncluded: true,
  pricingIncluded: true,
  providersIncluded: true,
  expireHours: 24,
  newPersonHours: 24,
  ...more,
});

test.each<[string, RulesChange, boolean]>([
  ["a higher threshold", { walletThreshold: money(1000.0001) }, true],
  ["no threshold", { walletThreshold: null }, true],
  ["a lower threshold", { walletThreshold: money(999) }, false],
  ["the same threshold", { walletThreshold: money(1000) }, false],
  ["another threshold that was off", { orderThreshold: money(5) }, false],
  ["keys no longer included", { keysIncluded: false }, true],
  ["prices no longer included", { pricingIncluded: false }, true],
  ["providers no longer included", { providersIncluded: false }, true],
  ["a shorter time for new people", { newPersonHours: 23 }, true],
  ["a longer time for new people", { newPersonHours: 48 }, false],
  ["a longer time", { expireHours: 25 }, true],
  ["a shorter time", { expireHours: 1 }, false],
  ["a stricter and a laxer one together", { orderThreshold: money(1), expireHours: 48 }, true],
])("%s: weaker %s → %s", (_, change, weaker) => {
  expect(weakens(rules(), change)).toBe(weaker);
  // What is not in force cannot be weakened.
  expect(weakens(rules({ walletThreshold: null }), change)).toBe(false);
});

test("what moves money counts by amount, the rest whenever approvals are on", () => {
  const amounts = { wallet: "wallet", settle: "order", reverse: "order", refund: "order", cancel: "order" } as const;
  const counted = { ...amounts, complaint_refund: "order", reconcile: "order", bulk_settle: "order" } as const;
  for (const kind of APPROVAL_KINDS) {
    const area = (counted as Partial<Record<typeof kind, string>>)[kind] ?? null;
    expect(areaOf(kind), kind).toBe(area);
    expect(needsApprovalAlways(rules(), kind), kind).toBe(area === null);
    expect(needsApprovalAlways(rules({ walletThreshold: null }), kind), kind).toBe(false);
  }
  for (const kind of ["pricing", "pricing_end"] as const) expect(needsApprovalAlways(rules({ pricingIncluded: false }), kind)).toBe(false);
  for (const kind of ["provider", "provider_secret"] as const)
    expect(needsApprovalAlways(rules({ providersIncluded: false }), kind)).toBe(false);
});

test("the staff is subject to the rules, and keys are unless they are excluded; new keys and laxer rules always wait", () => {
  const excluded = rules({ keysIncluded: false });
  expect(isSubject(excluded, { kind: "staff" }, "wallet")).toBe(true);
  expect(isSubject(excluded, { kind: "key" }, "wallet")).toBe(false);
  expect(isSubject(rules(), { kind: "key" }, "wallet")).toBe(true);
  for (const kind of ["rules", "operator_key", "single_sign_on"] as const) expect(isSubject(excluded, { kind: "key" }, kind)).toBe(true);
});
