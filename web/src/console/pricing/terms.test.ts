import { expect, test } from "vitest";
import { UNMATCHED } from "../clients/account-choice.ts";
import { rateOf, rateText, whatText } from "./rule.ts";
import { bodyOf, NO_TERMS } from "./terms.ts";

test("a rule for all accounts must say so, and empty values are left out", () => {
  const fee = { percent: " 1.5 ", flat: "", min: "", max: "20" };
  expect(bodyOf({ ...NO_TERMS, whose: "all", service: "recharge", fee })).toEqual({
    all_accounts: true,
    service: "recharge",
    fee: { percent: "1.5", max: "20" },
    commission: {},
  });
});

test("an account that was not found is not sent, and an operator only with its service", () => {
  expect(bodyOf({ ...NO_TERMS, account_id: UNMATCHED, operator: "AT" })).toEqual({ fee: {}, commission: {} });
});

test("a rate reads as a person would say it", () => {
  expect(rateText({ percent: "1.50", flat: "0.2500", min: "1.0000", max: "20.0000" })).toBe(
    "1.50 % + ₹0.25, at least ₹1.00, at most ₹20.00",
  );
  expect(rateText({ percent: "0.00", flat: "0.0000", min: null, max: null })).toBe("");
});

test("a typed rate without percent or flat amount is zero", () => {
  expect(rateOf({ percent: "", flat: " 2 ", min: "", max: " " })).toEqual({ percent: "0", flat: "2", min: null, max: null });
});

test("what a rule is for names the service and the operator", () => {
  const services = new Map([["recharge", "Recharge"]]);
  expect(whatText({ service: null, operator: null, operator_name: null }, services)).toBe("All services");
  expect(whatText({ service: "recharge", operator: "AT", operator_name: "Airtel" }, services)).toBe("Recharge, Airtel (AT)");
});
