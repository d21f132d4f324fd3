import { expect, test } from "vitest";
import { readStatus } from "./statuses.ts";
import { refreshAfter } from "./transaction.ts";

test("a transaction is read again until it is final and its callbacks are delivered", () => {
  expect(refreshAfter({ status: "pending" }, [])).toBe(3000);
  expect(refreshAfter({ status: "SUCCESS" }, [{ state: "delivered" }, { state: "waiting" }])).toBe(3000);
  expect(refreshAfter({ status: "FAILED" }, [{ state: "delivered" }, { state: "parked" }])).toBe(false);
});

test("a status of the address is read only when it exists", () => {
  expect(readStatus("Reversed")).toBe("Reversed");
  expect(readStatus("success")).toBeUndefined();
  expect(readStatus(undefined)).toBeUndefined();
});
