import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney, moneyOf, NO_MONEY, requireMoney } from "./money.ts";
import { rateOf } from "./rate.ts";

const money = (text: string) => requireMoney(text);

test.each([
  ["1000", { flat: NO_MONEY, basisPoints: 100n, least: money("10") }, "10.0000"],
  ["999.99", { flat: NO_MONEY, basisPoints: 100n, least: money("10") }, "10.0000"],
  ["1234.56", { flat: NO_MONEY, basisPoints: 100n, least: money("10") }, "12.3500"],
  ["100.50", { flat: money("2.5"), basisPoints: 50n }, "3.0000"],
  ["100", { flat: money("3"), basisPoints: 0n }, "3.0000"],
  ["5000", { flat: money("1"), basisPoints: 200n, least: money("5"), most: money("25") }, "25.0000"],
  ["1000", { flat: money("1"), basisPoints: 200n, least: money("5"), most: money("25") }, "21.0000"],
  ["10", { flat: money("1"), basisPoints: 200n, least: money("5"), most: money("25") }, "5.0000"],
])("the rate of %s matches the worked example", (amount, rule, fee) => {
  expect(formatMoney(rateOf(money(amount), rule))).toBe(fee);
});

test("a percentage is rounded half up to one paisa for any amount", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.bigInt({ min: 0n, max: 10_000n }), (amount, basisPoints) => {
      const fee = rateOf(moneyOf(amount), { flat: NO_MONEY, basisPoints });
      expect(fee % 100n).toBe(0n);
      // Twice the distance to the exact share, in ten-thousandths of a unit: within half a paisa, the half itself upwards.
      const distance = 2n * (fee * 10_000n - amount * basisPoints);
      expect(distance > -1_000_000n && distance <= 1_000_000n).toBe(true);
    }),
  );
});
