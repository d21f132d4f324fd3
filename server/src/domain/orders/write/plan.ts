import { indiaDate } from "../../../platform/core/india-time.ts";
import type { Money } from "../../../platform/core/money.ts";
import { type Bucket, MOVES, type MoveKind } from "../../ledger/moves.ts";
import { dailyLimitShare } from "../order.ts";
import { isDebit, isOfDay, movesOf, requiredState, stateAfter } from "./effects.ts";
import type { Accept, Cancel, Operation, Reverse, SchedulePoll, Settle } from "./operations.ts";

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
  for (const operation of operations) if (!isDebit(operation)) addOperation(plan, operation);
  for (const operation of operations) if (isDebit(operation)) addOperation(plan, operation);
  return plan;
}

function addOperation(plan: Plan, operation: Operation): void {
  switch (operation.kind) {
    case "accept":
      addAccept(plan, operation);
      return;
    case "settle":
    case "reverse":
    case "cancel":
      addChange(plan, operation);
      return;
    case "topup":
      addMoves(plan, operation, operation.accountId, operation.reference);
      return;
    case "schedule poll":
      // It changes no balance. As one of the batch's wallets it is locked in their order, and refused if its account has moved.
      walletOf(plan, operation.order.accountId);
      plan.polls.push(operation);
      return;
    case "fail over":
      // It moves no money and changes no state. The locked write records the attempts.
      return;
  }
}

function addAccept(plan: Plan, operation: Accept): void {
  const { order } = operation;
  const wallet = addMoves(plan, operation, order.accountId, order.orderId);
  // The order is created at the batch's own time, so it always counts for today.
  wallet.day += dailyLimitShare(order);
  // An order without a limit must not lift the limit of another order of the batch.
  wallet.dailyLimit = operation.dailyLimit ?? wallet.dailyLimit;
  plan.accepts.push(operation);
}

function addChange(plan: Plan, operation: Settle | Reverse | Cancel): void {
  const { order } = operation;
  const wallet = addMoves(plan, operation, order.accountId, order.orderId);
  const after = stateAfter(operation);
  // A partial cancellation changes no state. The refunded sum is written separately.
  if (after === requiredState(operation)) return;
  if (after === "FAILED" && isOfDay(order, plan.today)) wallet.day -= dailyLimitShare(order);
  plan.changes.push(operation);
}

/** Adds the transfers of an operation, about an order or the reference of a top-up. */
function addMoves(plan: Plan, operation: Operation, accountId: string, about: string): WalletDelta {
  const wallet = walletOf(plan, accountId);
  for (const { kind, amount, note = "" } of movesOf(operation)) {
    wallet[MOVES[kind].from] -= amount;
    wallet[MOVES[kind].to] += amount;
    wallet.rows++;
    plan.transfers.push({ accountId, position: wallet.rows, kind, amount, availableOffset: wallet.available, about, note });
  }
  return wallet;
}

function walletOf(plan: Plan, accountId: string): WalletDelta {
  const known = plan.wallets.get(accountId);
  if (known) return known;
  const made: WalletDelta = { accountId, available: 0n, held: 0n, cleared: 0n, funding: 0n, fees: 0n, rows: 0, day: 0n, dailyLimit: null };
  plan.wallets.set(accountId, made);
  return made;
}
