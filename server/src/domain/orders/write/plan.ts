import { indiaDate } from "../../../platform/core/india-time.ts";
import type { Money } from "../../../platform/core/money.ts";
import { type Bucket, MOVES, type MoveKind } from "../../ledger/moves.ts";
import { commissionBack, type Order, totalOf } from "../order.ts";
import type { Accept, Cancel, Operation, Reverse, SchedulePoll, Settle, TopUp } from "./operations.ts";

export type WalletDelta = Record<Bucket, bigint> & { readonly accountId: string; rows: number; day: bigint; dailyLimit: Money | null };

export type PlannedTransfer = {
  readonly accountId: string;
  /** Position among this wallet's transfers in the batch. */
  readonly position: number;
  readonly kind: MoveKind;
  readonly amount: bigint;
  /** The change of the wallet's available balance by this batch, up to and including this transfer. */
  readonly availableOffset: bigint;
  /** The order's id, or the reference of a top-up. */
  readonly about: string;
  /** The note of a manual change. */
  readonly note: string;
};

/** What a batch writes, as differences, so that the plan does not depend on the wallets' current balances. */
export type Plan = {
  readonly at: number;
  readonly today: string;
  readonly wallets: Map<string, WalletDelta>;
  readonly transfers: PlannedTransfer[];
  readonly accepts: Accept[];
  readonly changes: (Settle | Reverse | Cancel)[];
  readonly polls: SchedulePoll[];
};

export function planBatch(operations: readonly Operation[], at: number): Plan {
  const plan: Plan = { at, today: indiaDate(at), wallets: new Map(), transfers: [], accepts: [], changes: [], polls: [] };
  // Credits precede debits, so that a balance that suffices at the end never goes below its limit in between.
  for (const operation of operations) if (!isDebit(operation)) add(plan, operation);
  for (const operation of operations) if (isDebit(operation)) add(plan, operation);
  return plan;
}

function isDebit(operation: Operation): boolean {
  if (operation.kind === "topup") return operation.amount < 0n;
  return operation.kind === "accept" || (operation.kind === "reverse" && operation.order.credit);
}

function add(plan: Plan, operation: Operation): void {
  if (operation.kind === "accept") addAccept(plan, operation);
  else if (operation.kind === "settle") addSettle(plan, operation);
  else if (operation.kind === "reverse") addReverse(plan, operation);
  else if (operation.kind === "cancel") addCancel(plan, operation);
  else if (operation.kind === "topup") addTopUp(plan, operation);
  else if (operation.kind === "schedule poll") plan.polls.push(operation);
  // A fail-over moves no money; the locked write records it.
}

function addAccept(plan: Plan, operation: Accept): void {
  const { order } = operation;
  const wallet = moveIfAny(plan, order, "hold", totalOf(order));
  // The order is created at the batch's own time, so it always counts for today.
  wallet.day += order.service === "recharge" ? order.amount : 0n;
  wallet.dailyLimit = operation.dailyLimit;
  plan.accepts.push(operation);
}

function addSettle(plan: Plan, operation: Settle): void {
  const { order } = operation;
  if (operation.to === "FAILED") {
    moveIfAny(plan, order, "void", totalOf(order)).day -= dayShare(plan, order);
  } else {
    moveIfAny(plan, order, order.credit ? "credit" : "capture", order.amount);
    moveIfAny(plan, order, "fee", order.fee);
    moveIfAny(plan, order, "commission", order.commission);
  }
  plan.changes.push(operation);
}

function addReverse(plan: Plan, operation: Reverse): void {
  const { order } = operation;
  if (order.credit) {
    moveIfAny(plan, order, "fee_return", order.fee);
    moveIfAny(plan, order, "credit_back", order.amount);
    moveIfAny(plan, order, "commission_back", order.commission);
  } else {
    const amount = order.amount - (order.refunded ?? 0n);
    moveIfAny(plan, order, "reversal", amount).day -= dayShare(plan, order);
    moveIfAny(plan, order, "fee_return", order.fee);
    moveIfAny(plan, order, "commission_back", commissionBack(order, amount + order.fee));
  }
  plan.changes.push(operation);
}

// The state changes only when the whole order is cancelled. The refunded sum is written separately.
function addCancel(plan: Plan, operation: Cancel): void {
  const { order, refund } = operation;
  moveIfAny(plan, order, "refund", refund, operation.cancelId);
  if (!operation.whole) return;
  moveIfAny(plan, order, "commission_back", commissionBack(order, refund));
  plan.changes.push(operation);
}

function addTopUp(plan: Plan, operation: TopUp): void {
  const debit = operation.amount < 0n;
  move(
    plan,
    operation.accountId,
    debit ? "debit" : "topup",
    debit ? -operation.amount : operation.amount,
    operation.reference,
    operation.note,
  );
}

/** The part of an order that counts towards today's total. */
function dayShare(plan: Plan, order: Order): bigint {
  return order.service === "recharge" && indiaDate(order.createdAt) === plan.today ? order.amount : 0n;
}

/** Adds a transfer of an order's money, unless the amount is zero. */
function moveIfAny(plan: Plan, order: Order, kind: MoveKind, amount: bigint, note = ""): WalletDelta {
  return amount === 0n ? walletOf(plan, order.accountId) : move(plan, order.accountId, kind, amount, order.orderId, note);
}

function move(plan: Plan, accountId: string, kind: MoveKind, amount: bigint, about: string, note = ""): WalletDelta {
  const wallet = walletOf(plan, accountId);
  wallet[MOVES[kind].from] -= amount;
  wallet[MOVES[kind].to] += amount;
  wallet.rows++;
  plan.transfers.push({
    accountId,
    position: wallet.rows,
    kind,
    amount,
    availableOffset: wallet.available,
    about,
    note,
  });
  return wallet;
}

function walletOf(plan: Plan, accountId: string): WalletDelta {
  const known = plan.wallets.get(accountId);
  if (known) return known;
  const made: WalletDelta = { accountId, available: 0n, held: 0n, cleared: 0n, funding: 0n, fees: 0n, rows: 0, day: 0n, dailyLimit: null };
  plan.wallets.set(accountId, made);
  return made;
}
