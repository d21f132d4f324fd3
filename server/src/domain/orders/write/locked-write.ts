import { indiaDate } from "../../../platform/core/india-time.ts";
import { add, type Money, moneyOf, NO_MONEY, smallerOf } from "../../../platform/core/money.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import { boundLockWaits, type FoundTopUp, findTopUps, lockWallets, type WalletRow } from "../../ledger/store.ts";
import { insertRecords } from "../attempts/store.ts";
import { findArchivedReferences } from "../find-known.ts";
import { dailyLimitShare, type Order, totalOf } from "../order.ts";
import { type Reference, referenceDigest } from "../reference-digest.ts";
import { findByReferences, lockOrders } from "../store.ts";
import { availableChange, isOfDay, movesOf, type OrderChange, refundable, requiredState, stateAfter } from "./effects.ts";
import { type Accept, accountOf, evidenceOf, type Operation, type TopUp, type Written } from "./operations.ts";
import { planBatch } from "./plan.ts";
import { postPlan } from "./post-plan.ts";
import { writeDetails } from "./write-details.ts";

/** The rows that decide the batch, locked until it is written. */
type LockedState = {
  readonly today: string;
  readonly wallets: ReadonlyMap<string, { available: bigint; overdraft: bigint; day: bigint }>;
  readonly byReference: Map<string, Order>;
  /** Order ids by digest: references whose order is no longer in the database. */
  readonly archived: ReadonlyMap<string, string>;
  readonly byId: Map<string, Order>;
  readonly topUps: Set<string>;
};

const LOCK_MILLISECONDS = 500;

/**
 * Writes a batch with locks: lock the wallets, read the current rows, decide each operation in the order of
 * arrival, write the permitted ones. A second run after a lost reply finds what the first one wrote.
 */
export async function runLockedWrite(
  sql: Sql,
  operations: readonly Operation[],
  at: number,
  processId: string,
): Promise<readonly Written[]> {
  return await sql.begin(async (tx) => {
    await boundLockWaits(tx, LOCK_MILLISECONDS);
    return await writeLocked(tx, operations, at, processId);
  });
}

/** The same in the caller's transaction, for changes that must be committed together with orders and money. */
export async function writeLocked(
  tx: Transaction,
  operations: readonly Operation[],
  at: number,
  processId: string,
): Promise<readonly Written[]> {
  const state = await readLockedState(tx, operations, at);
  const decisions = operations.map((operation) => decide(state, operation));
  const permitted = decisions.flatMap((decision) => (decision.kind === "go" ? [decision.operation] : []));
  await postPlan(tx, planBatch(permitted, at), processId);
  const entries = new Map((await findTopUps(tx, topUpsOf(operations))).map((one) => [topUpKey(one), one]));
  await writeDetails(tx, permitted, at);
  await insertRecords(tx, evidenceOf(operations));
  return operations.map((operation, place): Written => {
    const available = moneyOf(state.wallets.get(accountOf(operation))?.available ?? 0n);
    const decision = decisions[place] ?? go(operation);
    if (operation.kind === "topup" && (decision.kind === "go" || decision.kind === "topped up"))
      return toppedUp(operation, entries, available);
    if (decision.kind === "go") return { kind: "done", available, at };
    return "available" in decision ? { ...decision, available } : decision;
  });
}

function topUpsOf(operations: readonly Operation[]): readonly TopUp[] {
  return operations.filter((one) => one.kind === "topup");
}

function toppedUp(operation: TopUp, entries: ReadonlyMap<string, FoundTopUp>, available: Money): Written {
  const entry = entries.get(topUpKey(operation));
  if (!entry) throw new Error(`The top-up ${operation.reference} was not written.`);
  return { kind: "topped up", available, entry: entry.entry, sameAmount: entry.amount === operation.amount };
}

async function readLockedState(tx: Transaction, operations: readonly Operation[], at: number): Promise<LockedState> {
  const accountIds = [...new Set(operations.map(accountOf))].sort();
  const today = indiaDate(at);
  const rows = await lockWallets(tx, accountIds);
  const accepts = operations.filter((one) => one.kind === "accept");
  const onOrders = operations.filter((one) => one.kind !== "accept" && one.kind !== "topup");
  const known = await findByReferences(
    tx,
    accepts.map((one) => one.order),
  );
  const locked = await lockOrders(
    tx,
    onOrders.map((one) => one.order),
  );
  const found = await findTopUps(tx, topUpsOf(operations));
  return {
    today,
    wallets: new Map(rows.map((row) => [row.account_id, toBalances(row, today)])),
    byReference: new Map(known.map((order) => [referenceKey(order), order])),
    archived: await findArchivedReferences(tx, known.length === accepts.length ? [] : accepts.map((one) => one.order)),
    byId: new Map(locked.map((order) => [idKey(order), order])),
    topUps: new Set(found.map(topUpKey)),
  };
}

function toBalances(row: WalletRow, today: string) {
  return { available: row.available, overdraft: row.overdraft, day: row.day === today ? row.day_total : 0n };
}

type Decision = { readonly kind: "go"; readonly operation: Operation } | Written;
const go = (operation: Operation): Decision => ({ kind: "go", operation });
const ANSWERED_FROM_THE_LEDGER: Written = { kind: "topped up", available: NO_MONEY, entry: "", sameAmount: true };

function decide(state: LockedState, operation: Operation): Decision {
  switch (operation.kind) {
    case "accept":
      return decideAccept(state, operation);
    case "topup":
      return decideTopUp(state, operation);
    default: {
      const order = state.byId.get(idKey(operation.order));
      if (!order) throw new Error(`Order ${operation.order.orderId} does not exist.`);
      const elsewhere = operation.kind === "settle" && operation.ofAttempt !== undefined && operation.ofAttempt !== order.attempt;
      if (elsewhere || order.state !== requiredState(operation)) return { kind: "found", order, available: NO_MONEY };
      const current = onCurrent(operation, order);
      if (!release(state, order, availableChange(movesOf(current)))) return { kind: "insufficient funds" };
      const after = changedBy(current, order);
      if (after.state === "FAILED") subtractFromDay(state, order);
      // The next operation of this batch on the same order sees the change.
      state.byId.set(idKey(order), after);
      return go(operation.kind === "reverse" || operation.kind === "cancel" ? current : operation);
    }
  }
}

/** Money is computed from the current order, not from the caller's copy. */
function onCurrent(operation: OrderChange, order: Order): OrderChange {
  if (operation.kind !== "cancel") return { ...operation, order };
  return { ...operation, order, refund: smallerOf(operation.refund, refundable(order)) };
}

/** The current order after an operation, whose own copy of the order may be older. */
function changedBy(operation: OrderChange, order: Order): Order {
  const state = stateAfter(operation);
  switch (operation.kind) {
    case "settle":
      return { ...order, state, operatorRef: operation.operatorRef ?? order.operatorRef, failure: operation.failure };
    case "reverse":
      return { ...order, state, failure: operation.failure };
    case "cancel": {
      const refunded = add(order.refunded ?? NO_MONEY, operation.refund);
      return { ...order, state, refunded, failure: operation.whole ? operation.failure : order.failure };
    }
    case "fail over": {
      const { provider, providerVersion } = operation;
      return { ...order, provider, providerVersion, attempt: operation.order.attempt + 1 };
    }
    case "schedule poll":
      return order;
  }
}

function decideAccept(state: LockedState, operation: Accept): Decision {
  const { order } = operation;
  const known = state.byReference.get(referenceKey(order));
  // This is the same order, written by a run whose reply was lost.
  if (known?.orderId === order.orderId && known.fingerprint === order.fingerprint)
    return { kind: "done", available: NO_MONEY, at: known.createdAt };
  if (known) return { kind: "found", order: known, available: NO_MONEY };
  const archivedId = state.archived.size === 0 ? undefined : state.archived.get(referenceDigest(order));
  if (archivedId !== undefined) return { kind: "archived", orderId: archivedId };
  const wallet = state.wallets.get(order.accountId);
  if (!wallet) return { kind: "insufficient funds" };
  const counted = dailyLimitShare(order);
  if (operation.dailyLimit !== null && wallet.day + counted > operation.dailyLimit) return { kind: "daily limit" };
  if (wallet.available - totalOf(order) < -wallet.overdraft) return { kind: "insufficient funds" };
  wallet.available -= totalOf(order);
  wallet.day += counted;
  state.byReference.set(referenceKey(order), order);
  return go(operation);
}

function decideTopUp(state: LockedState, operation: TopUp): Decision {
  if (state.topUps.has(topUpKey(operation))) return ANSWERED_FROM_THE_LEDGER;
  const wallet = state.wallets.get(operation.accountId);
  if (!wallet || (operation.amount < 0n && wallet.available + operation.amount < -wallet.overdraft)) return { kind: "insufficient funds" };
  wallet.available += operation.amount;
  // The same reference twice in one batch: the second finds the first.
  state.topUps.add(topUpKey(operation));
  return go(operation);
}

/** Applies a change of the available balance, which later operations of the batch can spend. False when the wallet lacks the money. */
function release(state: LockedState, order: Order, amount: bigint): boolean {
  const wallet = state.wallets.get(order.accountId);
  if (!wallet) throw new Error(`The wallet of order ${order.orderId} does not exist.`);
  if (amount < 0n && wallet.available + amount < -wallet.overdraft) return false;
  wallet.available += amount;
  return true;
}

function subtractFromDay(state: LockedState, order: Order): void {
  const wallet = state.wallets.get(order.accountId);
  if (wallet && isOfDay(order, state.today)) wallet.day -= dailyLimitShare(order);
}

const referenceKey = (one: Reference) => `${one.accountId}/${one.service}/${one.reference}/${one.operation}`;
const idKey = (one: { readonly accountId: string; readonly orderId: string }) => `${one.accountId}/${one.orderId}`;
const topUpKey = (one: { readonly accountId: string; readonly reference: string }) => `${one.accountId}/${one.reference}`;
