import { expect, test } from "vitest";
import { changesOf, settingText, type TransferSettings } from "./transfer-settings.ts";

const SETTINGS: TransferSettings = {
  min_amount: "100.0000",
  max_amount: "25000.0000",
  month_limit: "200000.0000",
  fee_percent: "1.00",
  fee_least: "10.0000",
  penny_drop_fee: "3.0000",
};

test("amounts are accepted as they are shown, and only differences are sent", () => {
  const typed = { ...SETTINGS, min_amount: "₹100", month_limit: "₹2,50,000", fee_percent: "1.5 %" };
  expect(changesOf(SETTINGS, typed)).toEqual({ month_limit: "250000", fee_percent: "1.5" });
});

test("a decimal comma is sent as it was typed, so that ₹2,50 is refused and never becomes ₹250", () => {
  expect(changesOf(SETTINGS, { ...SETTINGS, fee_least: "2,50", fee_percent: "1,5 %" })).toEqual({ fee_least: "2,50", fee_percent: "1,5" });
});

test("nothing that was typed anew is nothing to send", () => {
  expect(changesOf(SETTINGS, SETTINGS)).toEqual({});
});

test("a percentage is not shown as money", () => {
  expect(settingText("fee_percent", "1.00")).toBe("1.00 %");
  expect(settingText("month_limit", "200000.0000")).toBe("₹2,00,000.00");
});
