import { indiaDate } from "../../platform/core/india-time.ts";
import type { Money } from "../../platform/core/money.ts";
import { type Bucket, MOVES, type MoveKind } from "../ledger/moves.ts";
import type { Accept, Cancel, Operation, Reverse, Settle, TopUp, Watch } from "./operations.ts";
import { commissionBack, type Order, totalOf } from "./order.ts";

export type WalletDelta = Record<Bucket, bigint> & { readonly accountId: string; rows: number; day: bigint; dailyLimit: Money | null };

export type PlannedTransfer = {
  readonly accountId: string;
  /** The how-manieth of its wallet in this batch. */
  readonly rank: number;
  readonly kind: MoveKind;
  readonly amount: bigint;
  /** What this batch has done to the wallet's available money up to and with this transfer. */
  readonly availableOffset: bigint;
  /** The order's id, or the reference of a top-up. */
  readonly about: string;
  /** What a person wrote. */
  readonly note: string;
};

/** What a batch writes, as differences: true whatever the wallets hold, so long as its assumptions hold. */
export type Plan = {
  readonly at: number;
  readonly today: string;
  readonly wallets: Map<string, WalletDelta>;
  readonly transfers: PlannedTransfer[];
  readonly accepts: Accept[];
  readonly changes: (Settle | Reverse | Cancel)[];
  readonly watches: Watch[];
};

export function planBatch(operations: readonly Operation[], at: number): Plan {
  const plan: Plan = { at, today: indiaDate(at), wallets: new Map(), transfers: [], accepts: [], changes: [], watches: [] };
  // What frees money goes before what takes it: a balance that is covered at the end then was so all the way.
  for (const operation of operations) if (!takes(operation)) add(plan, operation);
  for (const operation of operations) if (takes(operation)) add(plan, operation);
  return plan;
}

function takes(operation: Operation): boolean {
  if (operation.kind === "topup") return operation.amount < 0n;
  return operation.kind === "accept" || (operation.kind === "reverse" && operation.order.credit);
}

function add(plan: Plan, operation: Operation): void {
  if (operation.kind === "accept") addAccept(plan, operation);
  else if (operation.kind === "settle") addSettle(plan, operation);
  else if (operation.kind === "reverse") addReverse(plan, operation);
  else if (operation.kind === "cancel") addCancel(plan, operation);
  else if (operation.kind === "topup") addTopUp(plan, operation);
  else if (operation.kind === "watch") plan.watches.push(operation);
  // A fail-over moves no money; the careful way writes it.
}

function addAccept(plan: Plan, operation: Accept): void {
  const { order } = operation;
  const wallet = moveIfAny(plan, order, "hold", totalOf(order));
  // The order's time is the batch's own.
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

// The state changes only when nothing is left; what was given back is written with the extras.
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

/** What an order counts in today's total: its amount, if it is a recharge of today. */
function dayShare(plan: Plan, order: Order): bigint {
  return order.service === "recharge" && indiaDate(order.createdAt) === plan.today ? order.amount : 0n;
}

/** Moves an order's money; an order that costs nothing moves none. */
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
    rank: wallet.rows,
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
