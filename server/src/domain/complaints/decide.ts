import type { OrderState } from "../orders/order.ts";

export type Decision = "stands" | "refund";

/** What a decision meets, all of it locked. */
export type ComplaintFacts = {
  readonly orderState: OrderState;
  readonly walletSuspended: boolean;
  /** The order is a success of which some money has come back. */
  readonly partRefunded: boolean;
};

export type Verdict =
  | { readonly kind: "conflict"; readonly reason: string }
  | { readonly kind: "blocked"; readonly why: string }
  | { readonly kind: "stands" }
  | { readonly kind: "refund" }
  /** The money came back before: it is told, not posted again. */
  | { readonly kind: "already returned" };

const PENDING: Verdict = { kind: "conflict", reason: "The order is pending: settle it first." };
const REVERSED: Verdict = { kind: "conflict", reason: "The order is FAILED, so it does not stand." };

/** Contract, section 5: what becomes of an open complaint. */
export function decide(decision: Decision, facts: ComplaintFacts): Verdict {
  if (facts.orderState === "pending") return PENDING;
  if (decision === "stands") return facts.orderState === "FAILED" ? REVERSED : { kind: "stands" };
  if (facts.orderState === "FAILED") return { kind: "already returned" };
  if (facts.walletSuspended) return { kind: "blocked", why: "The wallet is suspended." };
  return facts.partRefunded ? { kind: "blocked", why: "A part of it was refunded before." } : { kind: "refund" };
}
