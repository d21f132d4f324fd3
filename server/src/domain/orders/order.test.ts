import { expect, test } from "vitest";
import { type Cause, nextState, type OrderState, stateNumber, stateOf, totalOf } from "./order.ts";
import { money } from "./testing/fixture.ts";

const STATES: readonly OrderState[] = ["pending", "SUCCESS", "FAILED"];
const CAUSES: readonly Cause[] = ["settled", "declined", "reversed"];

// Spec, States and transitions: every other transition is forbidden.
const ALLOWED: Readonly<Record<string, OrderState>> = {
  "pending settled": "SUCCESS",
  "pending declined": "FAILED",
  "SUCCESS reversed": "FAILED",
};

test.each(STATES.flatMap((state) => CAUSES.map((cause) => ({ state, cause }))))(
  "$state, $cause: just as the table says",
  ({ state, cause }) => {
    expect(nextState(state, cause)).toBe(ALLOWED[`${state} ${cause}`] ?? null);
  },
);

test("no transition leads to pending, and none leaves FAILED", () => {
  const reached = STATES.flatMap((state) => CAUSES.map((cause) => nextState(state, cause)));
  expect(reached).not.toContain("pending");
  expect(CAUSES.map((cause) => nextState("FAILED", cause))).toEqual([null, null, null]);
});

test("a state survives conversion to its database number, and an unknown number is refused", () => {
  for (const state of STATES) expect(stateOf(stateNumber(state))).toBe(state);
  for (const number of [-1, 3, 1.5, Number.NaN]) expect(() => stateOf(number)).toThrow("Unknown order state");
});

test("the wallet pays amount and fee", () => {
  expect(totalOf({ amount: money(10), fee: money(0.5), credit: false })).toBe(money(10.5));
  expect(totalOf({ amount: money(10), fee: money(0), credit: true })).toBe(money(0));
});
