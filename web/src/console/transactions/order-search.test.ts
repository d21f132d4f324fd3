import { expect, test } from "vitest";
import { filterText, orderQueryOf } from "./order-search.ts";

test("the waiting filter of the address becomes the filters of the API", () => {
  expect(orderQueryOf({ waiting: "old", operator: "AT" })).toEqual({ operator: "AT", status: "pending", min_age: "10" });
  expect(orderQueryOf({ waiting: "doubt" })).toEqual({ in_doubt: "true" });
  expect(orderQueryOf({ waiting: "person" })).toEqual({ needs_human: "true" });
  expect(orderQueryOf({ waiting: "unknown", status: "FAILED" })).toEqual({ status: "FAILED" });
});

test("the filters of an export are said in one sentence", () => {
  expect(filterText({ account_id: "A1", status: "FAILED" })).toBe("Only where account id is A1, status is FAILED.");
  expect(filterText({})).toBeNull();
});
