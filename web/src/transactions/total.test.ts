import { expect, test } from "vitest";
import { countOf, countQuery } from "./total.ts";

test.each([
  [{}, null],
  [{ from: "2026-11-01" }, { from: "2026-11-01" }],
  [
    { from: "2026-11-01", to: "2026-11-02", status: "FAILED", operator: "AT", search: undefined },
    { from: "2026-11-01", to: "2026-11-02", operator: "AT" },
  ],
  [{ from: "2026-11-01", search: "9876543000" }, null],
  [{ from: "2026-11-01", waiting: "doubt" }, null],
  [{ from: "2026-11-01", assigned_to: "me" }, null],
  [{ status: "FAILED" }, null],
])("the filters %j are counted by the query %j", (search, query) => {
  expect(countQuery(search)).toEqual(query);
});

test.each([
  [undefined, 15],
  ["SUCCESS", 8],
  ["FAILED", 6],
  ["Reversed", 2],
  ["pending", 1],
])("the status %s has its part of the count", (status, count) => {
  expect(countOf({ orders: 15, success: 8, failed: 4, reversed: 2, pending: 1 }, status)).toBe(count);
});
