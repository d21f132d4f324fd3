import { expect, test } from "vitest";
import { moneyText } from "../formats/format.ts";
import { plainAmount } from "./typed-money.ts";

test("every amount can be typed as it is shown", () => {
  for (const exact of ["0.0100", "9.5000", "999.0000", "1000.0000", "99999.1234", "100000.0000", "250000.0000", "9999999999.9999"])
    expect(Number(plainAmount(moneyText(exact)))).toBe(Number(exact));
  expect(plainAmount("₹2,50,000")).toBe("250000");
  expect(plainAmount(" ₹ 2,50,000.50 ")).toBe("250000.50");
  expect(plainAmount("2500.00")).toBe("2500.00");
});

test("text that is not an amount stays as it is, so that it is refused and not read as another amount", () => {
  for (const typed of ["2,50", "2,5000", "250,000", ",500", "1,2,500", "12.50.00", "1,000.12345", "−₹500.00", "₹", "ten", ""])
    expect(plainAmount(typed)).toBe(typed);
});
