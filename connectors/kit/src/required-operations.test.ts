import { expect, test } from "vitest";
import type { OperationName } from "./operations.ts";
import { missingOperations } from "./required-operations.ts";

const missing = (...operations: readonly OperationName[]) =>
  missingOperations("transfers", new Set<OperationName>(["transfers.send", ...operations]));

test("transfers need one-time passwords, minted by the provider or by us", () => {
  expect(missing("otp.send")).toEqual([]);
  expect(missing("transfers.sender.register", "transfers.sender.verify")).toEqual([]);
  expect(missing()).toEqual(["transfers.sender.register and transfers.sender.verify, or otp.send"]);
});

test("a provider that registers senders must verify them too", () => {
  const words = ["transfers.sender.verify, which transfers.sender.register needs"];
  expect(missing("transfers.sender.register")).toEqual(words);
  expect(missing("transfers.sender.register", "otp.send")).toEqual(words);
});

test("what is required for a service is named", () => {
  expect(missingOperations("transfers", new Set(["otp.send"]))).toEqual(["transfers.send"]);
  expect(missingOperations("recharge", new Set(["recharge.pay"]))).toEqual([]);
});
