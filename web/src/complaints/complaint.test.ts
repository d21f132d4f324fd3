import { expect, test } from "vitest";
import { shownStatus } from "./complaint.ts";
import { reasonText, stageText } from "./labels.ts";

test("a refunded complaint shows its failed transaction as reversed", () => {
  expect(shownStatus({ status: "REFUNDED", transaction_status: "FAILED" })).toBe("Reversed");
  expect(shownStatus({ status: "RESOLVED", transaction_status: "FAILED" })).toBe("FAILED");
  expect(shownStatus({ status: "OPEN", transaction_status: "pending" })).toBe("pending");
});

test("reasons and stages have labels, and unknown ones are shown as they are", () => {
  expect([reasonText("duplicate_payment"), reasonText("new_reason")]).toEqual(["Paid twice", "new_reason"]);
  expect([stageText("with_operator"), stageText("new_stage")]).toEqual(["With the operator", "new_stage"]);
});
