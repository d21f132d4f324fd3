import { add, type Money, NO_MONEY, smallerOf } from "../../platform/core/money.ts";
import type { Failure } from "../shared/failure.ts";
import { serviceDefinition } from "../shared/service-definition.ts";

export type OrderState = "pending" | "SUCCESS" | "FAILED";
export type FinalState = Exclude<OrderState, "pending">;

export type Cause = "settled" | "declined" | "reversed";

// Spec, States and transitions.
const NEXT: Record<OrderState, Partial<Record<Cause, FinalState>>> = {
  pending: { settled: "SUCCESS", declined: "FAILED" },
  SUCCESS: { reversed: "FAILED" },
  FAILED: {},
};

/** The state that follows; null when the transition is not allowed. */
export function nextState(state: OrderState, cause: Cause): FinalState | null {
  return NEXT[state][cause] ?? null;
}

/** Stored instead of a provider's name when no provider could take the order, so nothing was sent. */
export const NO_PROVIDER = "none";

export type Order = {
  readonly accountId: string;
  readonly orderId: string;
  readonly service: string;
  /** The client's reference: urid or request_id. */
  readonly reference: string;
  /** The operation of the service that created it; empty for services with one operation. */
  readonly operation: string;
  /** Equal for two requests with equal details. */
  readonly fingerprint: string;
  readonly state: OrderState;
  readonly amount: Money;
  /** As the client wrote it. */
  readonly amountText: string;
  readonly fee: Money;
  /** Credited on success in addition; agreed at acceptance and never more than the amount. */
  readonly commission: Money;
  /** A success credits the wallet instead of debiting it. */
  readonly credit: boolean;
  /** The sum of partial refunds; null when there was none. */
  readonly refunded: Money | null;
  readonly target: string;
  readonly operator: string;
  readonly circle: string | null;
  readonly provider: string;
  /** The version of the provider's description that the attempt is made with; null for a provider without versions. */
  readonly providerVersion: number | null;
  readonly attempt: number;
  readonly operatorRef: string | null;
  /** Why it is FAILED. The words are for staff only. */
  readonly failure: Failure | null;
  readonly answeredPending: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
};

const STATE_NUMBERS: Record<OrderState, number> = { pending: 0, SUCCESS: 1, FAILED: 2 };
const STATES: readonly OrderState[] = ["pending", "SUCCESS", "FAILED"];

export function stateNumber(state: OrderState): number {
  return STATE_NUMBERS[state];
}

export function stateOf(number: number): OrderState {
  const state = STATES[number];
  if (!state) throw new Error(`Unknown order state ${number}.`);
  return state;
}

/** The amount held at acceptance: amount and fee, or only the fee when the order credits the wallet. */
export function totalOf(order: Pick<Order, "amount" | "fee" | "credit">): Money {
  return order.credit ? order.fee : add(order.amount, order.fee);
}

/** The part of the commission that is taken back with a refund. It never exceeds the refund, so the wallet always covers it. */
export function commissionBack(order: Pick<Order, "commission">, returned: Money): Money {
  return smallerOf(order.commission, returned);
}

/** The part of an order that counts towards the account's daily limit. */
export function dailyLimitShare(order: Pick<Order, "service" | "amount">): Money {
  return serviceDefinition(order.service).hasDailyLimit ? order.amount : NO_MONEY;
}
