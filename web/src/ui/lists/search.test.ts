import { expect, test } from "vitest";
import { parseSearch, readFilters, stringifySearch } from "./search.ts";

test("only the named filters are read, as text, and empty ones are dropped", () => {
  const read = readFilters("status", "operator", "from");
  expect(read({ status: "SUCCESS", operator: "", from: null, other: "x" })).toEqual({ status: "SUCCESS" });
  expect(read({ status: 9876543210 })).toEqual({ status: "9876543210" });
});

test("filters survive the way to the address and back", () => {
  const search = { search: "ref 1&2=3", account: "09876543210", empty: "" };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test("filters that are not set leave no trace in the address", () => {
  expect(stringifySearch({ status: undefined, from: null })).toBe("");
  expect(stringifySearch({ status: undefined, to: "2026-11-15" })).toBe("?to=2026-11-15");
});
