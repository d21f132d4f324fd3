import { expect, test } from "vitest";
import { isPlace, routeImpactText } from "./route.ts";

const PLAN = { service: "recharge", operator: "AT", level: null, steps: [] };
const IMPACT = {
  since: "2026-11-17 14:05:00",
  orders: 31,
  amount: "4102.0000",
  accounts: 7,
  clients: ["Acme", "Gupta"],
  before: PLAN,
  after: PLAN,
};

test("a route's impact names how many orders, whose and how much", () => {
  expect(routeImpactText(IMPACT)).toBe(
    "Since 14:05:00 IST: 31 orders of 7 clients (₹4,102.00) would have used this route: Acme, Gupta and 5 more.",
  );
  expect(routeImpactText({ ...IMPACT, orders: 0 })).toBe("No order of the last hour would have used this route.");
});

test("a priority is a whole number from 1 to 1000", () => {
  expect(["1", "1000", " 20 "].map(isPlace)).toEqual([true, true, true]);
  expect(["0", "1001", "1.5", "", "x"].map(isPlace)).toEqual([false, false, false, false, false]);
});
