import type { Money } from "../../platform/core/money.ts";
import type { Failure } from "../shared/failure.ts";

export type OrderState = "pending" | "SUCCESS" | "FAILED";
export type FinalState = Exclude<OrderState, "pending">;

export type Cause = "settled" | "declined" | "reversed";

// Spec, States and transitions.
const NEXT: Record<OrderState, Partial<Record<Cause, FinalState>>> = {
  pending: { settled: "SUCCESS", declined: "FAILED" },
  SUCCESS: { reversed: "FAILED" },
  FAILED: {},
};

/** The state a cause leads to; null where it leads nowhere. */
export function nextState(state: OrderState, cause: Cause): FinalState | null {
  return NEXT[state][cause] ?? null;
}

export type Order = {
  readonly accountId: string;
  readonly orderId: string;
  readonly service: string;
  /** The client's own: urid or request_id. */
  readonly reference: string;
  /** Which of its service's calls made it; empty where there is only one. */
  readonly call: string;
  /** Equal for two requests with the same details. */
  readonly fingerprint: string;
  readonly state: OrderState;
  readonly amount: Money;
  /** As the client wrote it. */
  readonly amountText: string;
  readonly fee: Money;
  /** What its success pays the wallet beside; agreed when it was accepted, and never more than the amount. */
  readonly commission: Money;
  /** A success pays the wallet instead of taking from it. */
  readonly credit: boolean;
  /** What cancellations have given back; null while there was none. */
  readonly refunded: Money | null;
  readonly target: string;
  readonly operator: string;
  readonly circle: string | null;
  readonly provider: string;
  readonly attempt: number;
  readonly operatorRef: string | null;
  /** Why it is FAILED; its words are for the staff only. */
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
  if (!state) throw new Error(`There is no order state ${number}.`);
  return state;
}

/** What the wallet pays, and what is set aside for it: one that pays the wallet costs its fee. */
export function totalOf(order: Pick<Order, "amount" | "fee" | "credit">): Money {
  return (order.credit ? order.fee : order.amount + order.fee) as Money;
}

/** What taking a success back does to the spendable money: negative where the order had paid the wallet. */
export function returnOf(order: Order): Money {
  if (order.credit) return (order.fee - order.amount - order.commission) as Money;
  const returned = totalOf(order) - (order.refunded ?? 0n);
  return (returned - commissionBack(order, returned)) as Money;
}

/** What of an order's commission goes when money comes back: never more than that, so that it is covered whatever was spent. */
export function commissionBack(order: Pick<Order, "commission">, returned: bigint): Money {
  return (order.commission < returned ? order.commission : returned) as Money;
}
