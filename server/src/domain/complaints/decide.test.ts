import { expect, test } from "vitest";
import type { OrderState } from "../orders/order.ts";
import { type Decision, decide } from "./decide.ts";

type Row = readonly [decision: Decision, order: OrderState, walletSuspended: boolean, partRefunded: boolean, verdict: string];

const ROWS: readonly Row[] = [
  ["stands", "SUCCESS", false, false, "stands"],
  ["stands", "SUCCESS", true, true, "stands"],
  ["stands", "FAILED", false, false, "conflict"],
  ["stands", "pending", false, false, "conflict"],
  ["refund", "SUCCESS", false, false, "refund"],
  ["refund", "SUCCESS", true, false, "blocked"],
  ["refund", "SUCCESS", false, true, "blocked"],
  ["refund", "FAILED", false, false, "already returned"],
  ["refund", "FAILED", true, false, "already returned"],
  ["refund", "pending", true, true, "conflict"],
];

test.each(ROWS)("%s on %s, wallet suspended %s, part refunded %s: %s", (decision, orderState, walletSuspended, partRefunded, verdict) => {
  expect(decide(decision, { orderState, walletSuspended, partRefunded }).kind).toBe(verdict);
});
