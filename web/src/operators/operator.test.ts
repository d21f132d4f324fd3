import { expect, test } from "vitest";
import { hoursText, kindText, rateText } from "./labels.ts";
import { matchingOperators, type Operator, operatorFilters } from "./operator.ts";

const operator = (code: string, name: string, changes: Partial<Operator> = {}): Operator => ({
  operator: code,
  name,
  kind: "mobile_prepaid",
  account_label: "Mobile number",
  account_pattern: "^[6-9][0-9]{9}$",
  account_example: "9876543210",
  min_amount: "10.0000",
  max_amount: "5000.0000",
  denominations: [],
  status: "up",
  success_rate_1h: null,
  ...changes,
});
const ROWS = [operator("AT", "Airtel"), operator("JO", "Jio", { status: "down" }), operator("TP", "Tata Play", { kind: "dth" })];
const codes = (search: Parameters<typeof matchingOperators>[1]) => matchingOperators(ROWS, search)?.map((row) => row.operator);

test("operators are found by parts of their name or code, in any case", () => {
  expect(codes({ search: "TA" })).toEqual(["TP"]);
  expect(codes({ search: "jo" })).toEqual(["JO"]);
});

test("filters narrow together, and no filter leaves all", () => {
  expect(codes({})).toEqual(["AT", "JO", "TP"]);
  expect(codes({ kind: "mobile_prepaid", status: "down" })).toEqual(["JO"]);
  expect(codes({ kind: "dth", status: "down" })).toEqual([]);
});

test("a list that is not read yet stays undefined", () => {
  expect(matchingOperators(undefined, { search: "a" })).toBeUndefined();
});

test("the filter offers each kind that occurs once", () => {
  const [kinds] = operatorFilters(ROWS);
  expect(kinds).toMatchObject({
    options: [
      { value: "mobile_prepaid", label: "Mobile, prepaid" },
      { value: "dth", label: "DTH" },
    ],
  });
});

test("hours, kinds and rates have texts for what is not known", () => {
  expect(hoursText({ opens_at: null, closes_at: null })).toBe("All day");
  expect(hoursText({ opens_at: "09:00", closes_at: null })).toBe("09:00 to 24:00");
  expect(kindText("fastag")).toBe("fastag");
  expect([rateText(null), rateText(0.9876)]).toEqual(["–", "98.8 %"]);
});
