import type { OrderState } from "../orders/order.ts";

export type Decision = "stands" | "refund";

/** The state that a decision depends on, all of it locked. */
export type ComplaintFacts = {
  readonly orderState: OrderState;
  readonly walletSuspended: boolean;
  /** Whether the order is a success with a partial refund. */
  readonly partRefunded: boolean;
};

export type Verdict =
  | { readonly kind: "conflict"; readonly reason: string }
  | { readonly kind: "blocked"; readonly why: string }
  | { readonly kind: "stands" }
  | { readonly kind: "refund" }
  /** The money was returned before: the client is notified, and nothing is posted again. */
  | { readonly kind: "already returned" };

const PENDING: Verdict = { kind: "conflict", reason: "The order is pending. Settle it first." };
const REVERSED: Verdict = { kind: "conflict", reason: "The order is FAILED, so the complaint cannot be rejected." };

/** Contract, section 5: the result of a decision about an open complaint. */
export function decide(decision: Decision, facts: ComplaintFacts): Verdict {
  if (facts.orderState === "pending") return PENDING;
  if (decision === "stands") return facts.orderState === "FAILED" ? REVERSED : { kind: "stands" };
  if (facts.orderState === "FAILED") return { kind: "already returned" };
  if (facts.walletSuspended) return { kind: "blocked", why: "The wallet is suspended." };
  return facts.partRefunded ? { kind: "blocked", why: "A part of the order was already refunded." } : { kind: "refund" };
}
