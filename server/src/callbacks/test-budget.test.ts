import { expect, test } from "vitest";
import { openTestBudget } from "./test-budget.ts";

function budgetAt(start: number) {
  const time = { now: start };
  return { time, take: openTestBudget({ now: () => time.now }) };
}

test("an account sends ten tests in any minute, and another account is not touched by that", () => {
  const { time, take } = budgetAt(1_000_000);
  for (let sent = 0; sent < 10; sent++) {
    expect(take("A1")).toBeNull();
    time.now += 1_000;
  }
  expect(take("A1")).toEqual({ kind: "too_many", retryAfterSeconds: 50 });
  expect(take("A2")).toBeNull();
  time.now += 50_000;
  expect(take("A1")).toBeNull();
  expect(take("A1")).toEqual({ kind: "too_many", retryAfterSeconds: 1 });
});

test("a clock that is set back does not shut an account out", () => {
  const { time, take } = budgetAt(9_000_000);
  for (let sent = 0; sent < 10; sent++) take("A1");
  time.now = 1_000_000;
  expect(take("A1")).toBeNull();
});
