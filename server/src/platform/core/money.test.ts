import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney, moneyOf, parseMoney, percentOf, requireMoney } from "./money.ts";

const LARGEST = 99_999_999_999_999n;
const units = fc.bigInt({ min: 0n, max: LARGEST });

test.each([
  ["0", 0n],
  ["0.0", 0n],
  ["0.0001", 1n],
  ["1", 10_000n],
  ["10.5", 105_000n],
  ["10.50", 105_000n],
  ["10.0100", 100_100n],
  ["9999999999", 99_999_999_990_000n],
  ["9999999999.9999", LARGEST],
])("%s is %s ten-thousandths", (text, amount) => {
  expect(parseMoney(text)).toBe(amount);
});

test.each(
  "1e3|0x10| 10|10 |10.00001|-1|-0|+5|.5|5.|.|00010|01|00|1,000|1_000|NaN|Infinity||10.0.0|१०|１０|٣|10\n|\n10|12345678901|1e|0b1|₹10|10\u00a0|1 0|0.|null|1/2|10n".split(
    "|",
  ),
)("%j is no amount", (text) => {
  expect(parseMoney(text)).toBeNull();
});

test("a formatted amount has exactly four decimal places and reads back as the same amount", () => {
  fc.assert(
    fc.property(units, (amount) => {
      const text = formatMoney(amount);
      expect(text).toMatch(/^(0|[1-9][0-9]*)\.[0-9]{4}$/);
      expect(parseMoney(text)).toBe(amount);
    }),
  );
});

test("an accepted amount has the value of its digits", () => {
  const text = fc.stringMatching(/^(0|[1-9][0-9]{0,9})(\.[0-9]{1,4})?$/);
  fc.assert(
    fc.property(text, (written) => {
      const [whole = "", fraction = ""] = written.split(".");
      expect(parseMoney(written)).toBe(BigInt(whole) * 10_000n + BigInt(fraction) * 10n ** BigInt(4 - fraction.length));
    }),
  );
});

test("only digits with at most one decimal point are accepted", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.-+eE, _x٣") }), (written) => {
      if (parseMoney(written) !== null) expect(written).toMatch(/^[0-9]{1,10}(\.[0-9]{1,4})?$/);
    }),
  );
});

test("a debit is written with its sign, also below one rupee", () => {
  expect(formatMoney(-1n)).toBe("-0.0001");
  expect(formatMoney(-105_000n)).toBe("-10.5000");
});

test.each([
  ["100.00", 100n, "1.0000"],
  ["0.50", 100n, "0.0100"],
  ["0.49", 100n, "0.0000"],
  ["1.50", 100n, "0.0200"],
  ["1.4999", 100n, "0.0100"],
  ["333.33", 250n, "8.3300"],
  ["9999999999.9999", 10_000n, "10000000000.0000"],
  ["10", 0n, "0.0000"],
])("of %s, %s basis points are %s", (amount, basisPoints, share) => {
  expect(formatMoney(percentOf(requireMoney(amount), basisPoints))).toBe(share);
});

test("a percentage is rounded to the nearest paisa, halves up", () => {
  fc.assert(
    fc.property(units, fc.bigInt({ min: 0n, max: 10_000n }), (amount, basisPoints) => {
      const share = percentOf(moneyOf(amount), basisPoints);
      expect(share % 100n).toBe(0n);
      // Exact share = amount * basisPoints / 10000 units. Twice the distance to it, in 10000ths of a unit.
      const doubled = 2n * (share * 10_000n - amount * basisPoints);
      const paisa = 100n * 10_000n;
      expect(doubled > -paisa && doubled <= paisa).toBe(true);
    }),
  );
});
