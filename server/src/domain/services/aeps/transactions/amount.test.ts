import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney } from "../../../../platform/core/money.ts";
import { refuseAmount } from "./amount.ts";

test.each([
  ["100", null],
  ["100.0000", null],
  ["150", null],
  ["10000", null],
  ["10000.00", null],
  ["99.9999", "amount_out_of_range"],
  ["50", "amount_out_of_range"],
  ["1", "amount_out_of_range"],
  ["10000.0001", "amount_out_of_range"],
  ["10050", "amount_out_of_range"],
  ["9999999999.9999", "amount_out_of_range"],
  ["100.0001", "amount_multiple"],
  ["120", "amount_multiple"],
  ["149.99", "amount_multiple"],
  ["9999", "amount_multiple"],
])("an amount of %s: %s", (text, error) => {
  expect(refuseAmount(text)?.error ?? null).toBe(error);
});

test("exactly the 199 multiples of 50 from 100 to 10000 are taken", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 12_000n * 10_000n }), (units) => {
      const taken = refuseAmount(formatMoney(units)) === null;
      expect(taken).toBe(units >= 1_000_000n && units <= 100_000_000n && units % 500_000n === 0n);
    }),
  );
  const steps = Array.from({ length: 260 }, (_, step) => String(step * 50)).filter((text) => refuseAmount(text) === null);
  expect(steps.length).toBe(199);
});
