import { expect, test } from "vitest";
import { addMoney } from "./add-money.ts";

test.each([
  ["100.0000", "0.1", false, "100.1000"],
  ["0.1000", "0.2", false, "0.3000"],
  ["100.0000", "250", true, "-150.0000"],
  ["-0.5000", "0.25", false, "-0.2500"],
  ["9007199254740993.0001", "0.0001", false, "9007199254740993.0002"],
])("%s and %s (taken away: %s) is exactly %s", (balance, amount, takeAway, after) => {
  expect(addMoney(balance, amount, takeAway)).toBe(after);
});

test.each(["", "1,000", "₹5", "1.00001", "1e3", "."])("%j is no amount", (amount) => {
  expect(addMoney("100.0000", amount, false)).toBeNull();
});
