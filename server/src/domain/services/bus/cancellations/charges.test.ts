import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney, moneyOf, requireMoney } from "../../../../platform/core/money.ts";
import type { Policy } from "../provider-service.ts";
import { atMostPaid, chargeFor } from "./charges.ts";

const money = (text: string) => requireMoney(text);
const HOUR = 60 * 60 * 1000;
const DEPARTURE = 1_800_000_000_000;
const POLICY: Policy = [
  { hoursBefore: 24, basisPoints: 1_000 },
  { hoursBefore: 12, basisPoints: 2_550 },
  { hoursBefore: 0, basisPoints: 10_000 },
];

test.each([
  ["long before", 100 * HOUR, "30.0000", "270.0300"],
  ["at the first step", 24 * HOUR, "30.0000", "270.0300"],
  ["a millisecond later", 24 * HOUR - 1, "76.5100", "223.5200"],
  ["at the second", 12 * HOUR, "76.5100", "223.5200"],
  ["after it", 12 * HOUR - 1, "300.0300", "0.0000"],
])("%s the charge is that of the policy's step", (_, before, charges, refund) => {
  const charged = chargeFor([money("100.01"), money("200.02")], POLICY, DEPARTURE, DEPARTURE - before);
  expect([formatMoney(charged.charges), formatMoney(charged.refund)]).toEqual([charges, refund]);
});

test("before departure without a matching step of the policy, nothing is refunded", () => {
  const { refund } = chargeFor([money("10")], [{ hoursBefore: 24, basisPoints: 0 }], DEPARTURE, DEPARTURE - HOUR);
  expect(refund).toBe(0n);
});

const fares = fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { minLength: 1, maxLength: 6 });
const policy = fc.array(fc.record({ hoursBefore: fc.nat({ max: 72 }), basisPoints: fc.nat({ max: 10_000 }) }), { maxLength: 5 });
const hours = fc.array(fc.nat({ max: 100 }), { minLength: 6, maxLength: 6 });

test("however a ticket is cancelled in parts, the refunds never exceed what was paid", () => {
  fc.assert(
    fc.property(fares, policy, hours, (paid, steps, when) => {
      const total = paid.reduce((sum, one) => sum + one, 0n);
      let back = 0n;
      paid.forEach((fare, at) => {
        const { refund, charges } = chargeFor([moneyOf(fare)], steps, DEPARTURE, DEPARTURE - (when[at] ?? 0) * HOUR);
        expect(refund + charges).toBe(fare);
        expect(refund >= 0n && charges >= 0n).toBe(true);
        back += refund;
      });
      expect(back <= total).toBe(true);
      const atOnce = chargeFor(paid.map(moneyOf), steps, DEPARTURE, DEPARTURE - (when[0] ?? 0) * HOUR);
      expect(atOnce.refund + atOnce.charges).toBe(total);
    }),
  );
});

test("a provider's quote never gives a client more than was paid for the seats", () => {
  const seats = ["A1", "A2"].map((seat) => ({ seat, fare: money("100"), cancelling: null }));
  const quoted = (refund: string, charges: string) => ({ refund: money(refund), charges: money(charges) });
  expect(atMostPaid(quoted("90", "10"), seats, ["A1"])).toEqual(quoted("90", "10"));
  expect(atMostPaid(quoted("180", "20"), seats, ["A1", "A2"])).toEqual(quoted("180", "20"));
  expect(atMostPaid(quoted("180", "20"), seats, ["A1"])).toEqual(quoted("100", "0"));
});
