import { indiaDate } from "../../../platform/core/india-time.ts";
import { add, type Money, NO_MONEY, negate, subtract } from "../../../platform/core/money.ts";
import { MOVES, type MoveKind } from "../../ledger/moves.ts";
import { type Cause, commissionBack, nextState, type Order, type OrderState, totalOf } from "../order.ts";
import type { Accept, Cancel, FailOver, Operation, Reverse, SchedulePoll, Settle, TopUp } from "./operations.ts";

// The rules of every operation: which state it needs, which state follows and which money moves. The optimistic and the
// locked write both use them.

export type OrderChange = Settle | SchedulePoll | Reverse | Cancel | FailOver;

type Transition = { readonly from: OrderState; readonly cause: Cause | null };

/** The state that an operation needs its order to be in, and why the order leaves it; null when it stays there. */
function transitionOf(operation: OrderChange): Transition {
  switch (operation.kind) {
    case "settle":
      return { from: "pending", cause: operation.to === "SUCCESS" ? "settled" : "declined" };
    case "reverse":
      return { from: "SUCCESS", cause: "reversed" };
    case "cancel":
      return { from: "SUCCESS", cause: operation.whole ? "reversed" : null };
    case "schedule poll":
    case "fail over":
      return { from: "pending", cause: null };
  }
}

export function requiredState(operation: OrderChange): OrderState {
  return transitionOf(operation).from;
}

/** The order's state after the operation. */
export function stateAfter(operation: OrderChange): OrderState {
  const { from, cause } = transitionOf(operation);
  if (cause === null) return from;
  const next = nextState(from, cause);
  if (next === null) throw new Error(`The transition "${cause}" is not allowed from ${from}.`);
  return next;
}

export type Move = { readonly kind: MoveKind; readonly amount: Money; readonly note?: string };

/** The transfers of an operation, in the order in which they are written. Amounts of zero are left out. */
export function movesOf(operation: Operation): readonly Move[] {
  return allMovesOf(operation).filter((move) => move.amount !== 0n);
}

function allMovesOf(operation: Operation): readonly Move[] {
  switch (operation.kind) {
    case "accept":
      return [{ kind: "hold", amount: totalOf(operation.order) }];
    case "settle":
      return settleMoves(operation);
    case "reverse":
      return reverseMoves(operation.order);
    case "cancel":
      return cancelMoves(operation);
    case "topup":
      return [topUpMove(operation)];
    default:
      return [];
  }
}

function settleMoves({ order, to }: Settle): readonly Move[] {
  if (to === "FAILED") return [{ kind: "void", amount: totalOf(order) }];
  return [
    { kind: order.credit ? "credit" : "capture", amount: order.amount },
    { kind: "fee", amount: order.fee },
    { kind: "commission", amount: order.commission },
  ];
}

function reverseMoves(order: Order): readonly Move[] {
  if (order.credit) {
    return [
      { kind: "fee_return", amount: order.fee },
      { kind: "credit_back", amount: order.amount },
      { kind: "commission_back", amount: order.commission },
    ];
  }
  const amount = refundable(order);
  return [
    { kind: "reversal", amount },
    { kind: "fee_return", amount: order.fee },
    { kind: "commission_back", amount: commissionBack(order, add(amount, order.fee)) },
  ];
}

/** What earlier cancellations have left of an order's amount. No refund may exceed it. */
export function refundable({ amount, refunded }: Pick<Order, "amount" | "refunded">): Money {
  return subtract(amount, refunded ?? NO_MONEY);
}

function cancelMoves({ order, refund, whole, cancelId }: Cancel): readonly Move[] {
  const refunded: Move = { kind: "refund", amount: refund, note: cancelId };
  return whole ? [refunded, { kind: "commission_back", amount: commissionBack(order, refund) }] : [refunded];
}

function topUpMove({ amount, note }: TopUp): Move {
  return amount < 0n ? { kind: "debit", amount: negate(amount), note } : { kind: "topup", amount, note };
}

/** The change of the wallet's available balance. */
export function availableChange(moves: readonly Move[]): Money {
  let change = NO_MONEY;
  for (const { kind, amount } of moves) {
    if (MOVES[kind].to === "available") change = add(change, amount);
    if (MOVES[kind].from === "available") change = subtract(change, amount);
  }
  return change;
}

/** Whether an operation may lower the available balance. Such operations are written after those that raise it. */
export function isDebit(operation: Operation): operation is Accept | Reverse | TopUp {
  if (operation.kind === "topup") return operation.amount < 0n;
  return operation.kind === "accept" || (operation.kind === "reverse" && operation.order.credit);
}

/** Whether an order was created on this day, in India. */
export function isOfDay(order: Pick<Order, "createdAt">, day: string): boolean {
  return indiaDate(order.createdAt) === day;
}
