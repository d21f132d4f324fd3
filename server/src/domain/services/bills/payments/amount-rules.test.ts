import fc from "fast-check";
import { expect, test } from "vitest";
import { type Money, moneyOf } from "../../../../platform/core/money.ts";
import { rateOf } from "../../../../platform/core/rate.ts";
import { type Bill, EXACTNESSES, type Exactness } from "../billers/biller.ts";
import { BILLERS } from "../simulator/simulated-bills.ts";
import { type Due, refuseAmount } from "./amount-rules.ts";

const money = (units: bigint) => moneyOf(units);
const amounts = fc.bigInt({ min: 1n, max: 10_000_000_000n }).map(money);

function owed(exactness: Exactness, bounds: readonly [bigint, bigint], bills: readonly bigint[], range: Due["range"] = null): Due {
  const terms = {
    name: "A biller",
    category: "water",
    flow: "fetch" as const,
    exactness,
    minAmount: money(bounds[0]),
    maxAmount: money(bounds[1]),
    fee: { flat: money(0n), basisPoints: 0n },
    paymentModes: ["UPI"],
  };
  const billOf = (amount: bigint): Bill => ({ billNumber: "B1", amount: money(amount), customerName: "A", billDate: "", dueDate: "" });
  return { terms, bills: bills.map(billOf), range };
}

const errorOf = (amount: Money, due: Due) => refuseAmount(amount, due)?.error ?? null;
const between = fc.tuple(amounts, amounts).map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));

test("an amount outside the biller's bounds is out of range, whatever the exactness and the bill", () => {
  fc.assert(
    fc.property(fc.constantFrom(...EXACTNESSES), between, amounts, amounts, (exactness, bounds, due, amount) => {
      const outside = amount < bounds[0] || amount > bounds[1];
      expect(errorOf(amount, owed(exactness, bounds, [due])) === "amount_out_of_range").toBe(outside);
    }),
  );
});

test("inside them, the exactness alone decides, against the sum of the bills", () => {
  const rules: Record<Exactness, (amount: bigint, due: bigint) => boolean> = {
    exact: (amount, due) => amount === due,
    exact_up: (amount, due) => amount >= due,
    exact_down: (amount, due) => amount <= due,
    range: () => true,
    any: () => true,
  };
  const near = fc.tuple(amounts, amounts, fc.bigInt({ min: -2n, max: 2n }));
  fc.assert(
    fc.property(fc.constantFrom(...EXACTNESSES), near, (exactness, [one, two, off]) => {
      const due = one + two;
      const amount = money(due + off);
      const expected = rules[exactness](amount, due) ? null : "amount_mismatch";
      expect(errorOf(amount, owed(exactness, [1n, 100_000_000_000n], [one, two]))).toBe(expected);
    }),
  );
});

test("a bill's own range binds where the exactness is range, and nowhere else", () => {
  fc.assert(
    fc.property(fc.constantFrom("range" as const, "any" as const), between, amounts, (exactness, [least, most], amount) => {
      const range = { least: money(least), most: money(most) };
      const fits = exactness === "any" || (amount >= least && amount <= most);
      expect(errorOf(amount, owed(exactness, [1n, 100_000_000_000n], [most], range))).toBe(fits ? null : "amount_mismatch");
    }),
  );
});

test("without bills only the biller's bounds count", () => {
  fc.assert(
    fc.property(fc.constantFrom(...EXACTNESSES), amounts, (exactness, amount) => {
      expect(errorOf(amount, owed(exactness, [1n, 10_000_000_000n], []))).toBeNull();
    }),
  );
});

test("a fee is the flat part and the percentage, rounded half up to a paisa, and never falls as the amount rises", () => {
  fc.assert(
    fc.property(fc.constantFrom(...BILLERS), amounts, amounts, ({ fee }, a, b) => {
      const exact = fee.flat * 10_000n + a * fee.basisPoints;
      const off = rateOf(a, fee) * 10_000n - exact;
      expect(off > -500_000n && off <= 500_000n).toBe(true);
      expect((rateOf(a, fee) - fee.flat) % 100n).toBe(0n);
      expect(a <= b === rateOf(a, fee) <= rateOf(b, fee) || rateOf(a, fee) === rateOf(b, fee)).toBe(true);
    }),
  );
});
