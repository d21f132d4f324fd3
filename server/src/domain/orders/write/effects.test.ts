import fc from "fast-check";
import { expect, test } from "vitest";
import { moneyOf, smallerOf } from "../../../platform/core/money.ts";
import { money, newOrder } from "../testing/fixture.ts";
import { accept, cancel, failOver, reverse, settle, watch } from "../testing/operations.ts";
import { availableChange, movesOf, requiredState, stateAfter } from "./effects.ts";
import type { Operation } from "./operations.ts";

const ONE = newOrder("A1");

test.each([
  { operation: settle(ONE, "SUCCESS"), states: ["pending", "SUCCESS"] },
  { operation: settle(ONE, "FAILED"), states: ["pending", "FAILED"] },
  { operation: reverse(ONE), states: ["SUCCESS", "FAILED"] },
  { operation: cancel(ONE, 5, true), states: ["SUCCESS", "FAILED"] },
  { operation: cancel(ONE, 5, false), states: ["SUCCESS", "SUCCESS"] },
  { operation: watch(ONE), states: ["pending", "pending"] },
  { operation: failOver(ONE, "other"), states: ["pending", "pending"] },
])("$operation.kind leads from $states.0 to $states.1", ({ operation, states }) => {
  expect([requiredState(operation), stateAfter(operation)]).toEqual(states);
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 14n }).map((units) => moneyOf(units));
const order = fc
  .record({ amount, fee: amount, commission: amount, credit: fc.boolean() })
  .map((more) => newOrder("A1", { ...more, commission: smallerOf(more.commission, more.amount) }));

const changeOf = (operations: readonly Operation[]) => operations.reduce((sum, operation) => sum + availableChange(movesOf(operation)), 0n);

test("an order that fails costs nothing, and neither does a success that is reversed", () => {
  fc.assert(
    fc.property(order, (one) => {
      expect(changeOf([accept(one), settle(one, "FAILED")])).toBe(0n);
      expect(changeOf([accept(one), settle(one, "SUCCESS"), reverse(one)])).toBe(0n);
    }),
  );
});

test("a success costs amount and fee less the commission, or earns the amount when it credits the wallet", () => {
  fc.assert(
    fc.property(order, (one) => {
      const paid = one.credit ? one.amount - one.fee : -one.amount - one.fee;
      expect(changeOf([accept(one), settle(one, "SUCCESS")])).toBe(paid + one.commission);
    }),
  );
});

test("a reversal after partial refunds returns the rest, and takes back no more commission than it returns", () => {
  const one = newOrder("A1", { amount: money(10), fee: money(0), commission: money(4), refunded: money(9) });
  expect(movesOf(reverse(one))).toEqual([
    { kind: "reversal", amount: money(1) },
    { kind: "commission_back", amount: money(1) },
  ]);
});
