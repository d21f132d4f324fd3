import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { ACCOUNT_MOVED, codeOf } from "../../platform/db/database-errors.ts";
import { lockWallets } from "../ledger/store.ts";
import { changeInTransaction } from "../orders/change-in-transaction.ts";
import { type ManualChangeResult, settleManually } from "../orders/change-manually.ts";
import type { OrdersContext } from "../orders/context.ts";
import type { FinalState, Order } from "../orders/order.ts";
import { sendingConflict } from "../orders/recovery/sending-conflict.ts";
import { findById } from "../orders/store.ts";
import { findItem, type Item } from "./item.ts";
import type { Reconciliation, ReconciliationContext } from "./reconciliation.ts";
import { change, moveOpen } from "./resolve-items.ts";

export type SettleContext = ReconciliationContext & {
  readonly orders: OrdersContext;
  /** With several cells: the orders of the cell that holds the account. */
  readonly ordersOf?: (accountId: string) => OrdersContext;
};

export type SettleRequest = {
  readonly reconciliationId: string;
  readonly item: number;
  readonly reason: string;
  /** The requester and the approval, when a second person had to approve. */
  readonly approved?: JsonObject;
  /** The run and the version of the item that were counted. An item that changed since, or whose order is being sent, is not settled. */
  readonly counted?: { readonly run: string; readonly version: number };
};

/** What an item says about an order that can be settled. */
export type Settleable = { readonly orderId: string; readonly to: FinalState };

/** Null when nothing can be settled from it. */
export function settleable(item: Item): Settleable | null {
  const { orderId, status, canSettle } = item;
  return canSettle && orderId !== null && status !== null && status !== "pending" ? { orderId, to: status } : null;
}

export const NOTHING_TO_SETTLE =
  "Nothing can be settled from this item. The order must be pending here and final in the file, with the same amount.";

const CHANGED = "The item was changed after it was counted.";
const MOVING = "The account is being moved to another cell. Settle the order when it has been moved.";
const RUN_AGAIN = "The file was run again after the item was counted.";

class Refused extends Error {
  readonly result: ManualChangeResult;
  constructor(result: ManualChangeResult) {
    super("An order could not be settled.");
    this.result = result;
  }
}

/**
 * Settles a pending order as the provider's file says. The order, its money and the item change in one transaction; the audit
 * entry names the file and the line. An order of another cell commits first, by itself: if the item's change is then lost, the
 * next attempt finds the order settled and resolves the item.
 */
export async function settleItem(ctx: SettleContext, actor: string, request: SettleRequest): Promise<ManualChangeResult> {
  const { reconciliationId: id } = request;
  try {
    const result = await change(ctx, id, async (tx, at, reconciliation) => {
      const item = await findItem(tx, id, request.item);
      if (!item) return { kind: "not_found" };
      if (wasSettled(item, actor, request)) return { kind: "done", count: 0 };
      const changed = changedSince(reconciliation, item, request);
      if (changed !== null) return { kind: "conflict", reason: changed };
      const settlement = settleable(item);
      if (!settlement) return { kind: "conflict", reason: NOTHING_TO_SETTLE };
      // First, so that all writers lock the item and the order in the same sequence.
      await markSettled(tx, id, item.item, { actor, at, note: request.reason });
      const settled = await settleOrder(ctx, { tx, at, actor, request, reconciliation, item, settlement });
      if (settled.kind !== "done") throw new Refused(settled);
      return { kind: "done", count: 1 };
    });
    if (result.kind === "done") ctx.orders.wakeCallbacks();
    return result;
  } catch (error) {
    if (codeOf(error) === ACCOUNT_MOVED) return { kind: "conflict", reason: MOVING };
    if (!(error instanceof Refused)) throw error;
    await refreshItem(ctx, actor, request);
    return error.result;
  }
}

/** Whether an earlier run of the job has settled it, whose process died before it had saved its progress. */
function wasSettled(item: Item, actor: string, { counted }: SettleRequest): boolean {
  return counted !== undefined && item.settledAt !== null && item.resolvedBy === actor && item.version === counted.version + 1;
}

function changedSince(reconciliation: Reconciliation, item: Item, { counted }: SettleRequest): string | null {
  if (counted === undefined) return null;
  if (reconciliation.jobId !== counted.run) return RUN_AGAIN;
  return item.version === counted.version ? null : CHANGED;
}

type Settlement = {
  readonly tx: Transaction;
  readonly at: Date;
  readonly actor: string;
  readonly request: SettleRequest;
  readonly reconciliation: Reconciliation;
  readonly item: Item;
  readonly settlement: Settleable;
};

/** Settles the order with the item, or in a transaction of its own if another cell has it. */
async function settleOrder(ctx: SettleContext, settlement: Settlement): Promise<ManualChangeResult> {
  const orders = ordersOf(ctx, settlement.item);
  if (orders === ctx.orders) return await settleIn(settlement.tx, orders, settlement);
  const result = await orders.sql.begin((tx) => settleIn(tx, orders, settlement));
  if (result.kind === "done") orders.wakeCallbacks();
  return result;
}

async function settleIn(tx: Transaction, orders: OrdersContext, settlement: Settlement): Promise<ManualChangeResult> {
  const { at, actor, request, reconciliation, item } = settlement;
  const { orderId, to } = settlement.settlement;
  if (request.counted !== undefined && item.accountId !== null) {
    await lockWallets(tx, [item.accountId]);
    const sending = await sendingConflict(orders, tx, { accountId: item.accountId, orderId });
    if (sending) return sending;
  }
  return await settleManually(changeInTransaction(orders, tx, at), actor, {
    ...{ orderId, to, reason: request.reason, saidBy: reconciliation.provider },
    operatorRef: to === "SUCCESS" ? item.providerReference : null,
    ...(item.attempt === null ? {} : { ofAttempt: item.attempt }),
    evidence: evidenceOf(reconciliation, item, request.approved),
  });
}

async function findOrderOf(ctx: SettleContext, tx: Transaction, item: Item): Promise<Order | null> {
  const orders = ordersOf(ctx, item);
  return item.orderId === null ? null : await findById(orders === ctx.orders ? tx : orders.sql, item.orderId);
}

function ordersOf(ctx: SettleContext, { accountId }: Item): OrdersContext {
  return accountId === null ? ctx.orders : (ctx.ordersOf?.(accountId) ?? ctx.orders);
}

function evidenceOf(reconciliation: Reconciliation, item: Item, approved: JsonObject | undefined): JsonObject {
  return {
    reconciliation_id: reconciliation.reconciliationId,
    provider: reconciliation.provider,
    day: reconciliation.day,
    file: reconciliation.name,
    line: item.item,
    ...approved,
  };
}

async function markSettled(
  tx: Transaction,
  id: string,
  item: number,
  by: { readonly actor: string; readonly at: Date; readonly note: string },
): Promise<void> {
  await tx`
    update reconciliation_items
    set resolved_at = ${by.at}, resolved_by = ${by.actor}, note = ${by.note}, settled_at = ${by.at}, here_status = status,
      version = version + 1
    where reconciliation_id = ${id} and item = ${item}`;
  await moveOpen(tx, id, -1);
}

/** The order was settled otherwise in the meantime: updates the item, and resolves it if both agree now. */
async function refreshItem(ctx: SettleContext, actor: string, { reconciliationId: id, item: number }: SettleRequest): Promise<void> {
  await change(ctx, id, async (tx, at) => {
    const item = await findItem(tx, id, number);
    const order = item && (await findOrderOf(ctx, tx, item));
    if (!item || !order || order.state === "pending" || item.resolvedAt) return { kind: "done", count: 0 };
    const agrees = order.state === item.status;
    await tx`
      update reconciliation_items set here_status = ${order.state === "SUCCESS" ? 1 : 2}, can_settle = false,
        version = version + 1
        ${agrees ? tx`, resolved_at = ${at}, resolved_by = ${actor}, note = ${`The order was ${order.state} by then.`}` : tx``}
      where reconciliation_id = ${id} and item = ${number}`;
    if (agrees) await moveOpen(tx, id, -1);
    return { kind: "done", count: 0 };
  });
}
