import { expect, test } from "vitest";
import type { OrderState } from "../orders/order.ts";
import { dueBy, refuseRaising } from "./rules.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const AGES: readonly (readonly [state: OrderState, age: number, error: string | null])[] = [
  ["SUCCESS", 0, null],
  ["SUCCESS", 30 * DAY, null],
  ["SUCCESS", 30 * DAY + 1, "complaint_window_closed"],
  ["pending", 0, "still_pending"],
  ["pending", 10 * MINUTE - 1, "still_pending"],
  ["pending", 10 * MINUTE, null],
  ["pending", 30 * DAY, null],
  ["pending", 30 * DAY + 1, "complaint_window_closed"],
  ["FAILED", 0, "already_failed"],
  ["FAILED", 31 * DAY, "already_failed"],
];

test.each(AGES)("an order that is %s after %i ms meets %s", (state, age, error) => {
  const now = 1_800_000_000_000;
  expect(refuseRaising({ state, createdAt: now - age }, now)?.error ?? null).toBe(error);
});

test("the operator has seven days", () => {
  expect(dueBy(1_800_000_000_000)).toBe(1_800_000_000_000 + 7 * DAY);
});
