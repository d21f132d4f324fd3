import { orderIdAt } from "../../../platform/core/ids.ts";
import { ACCOUNT_MOVED, codeOf } from "../../../platform/db/database-errors.ts";
import { movedAway, requireInThisCell } from "../../ledger/store.ts";
import type { OrdersContext } from "../context.ts";
import type { OrderKey } from "../store.ts";

/**
 * Spec, Events, status callbacks, rule 5: in version 3 a request that got no reply is answered by a callback. A final
 * order is reported now, a pending one when it ends. At most one such callback is sent for an order. Throws when the account is
 * moving to another cell, where it has to be recorded then.
 */
export async function markUnanswered(ctx: OrdersContext, order: OrderKey): Promise<void> {
  const now = new Date(ctx.clock.now());
  const [row] = await ctx.sql<{ is_here: boolean; has_callback: boolean }[]>`
    with here as (
      select account_id from wallets where account_id = ${order.accountId} and moved_to is null
    ), marked as (
      update orders set unanswered = true
      where account_id = ${order.accountId} and order_id = ${order.orderId} and not unanswered and exists (select from here)
      returning account_id, order_id, reference, state, amount, target, operator_ref
    ), written as (
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at, settings_version, created_at)
      select m.account_id, next_callback_id(for_account => m.account_id, for_order => m.order_id, proposed => ${ctx.ids.entry(ctx.clock.now())}), 'status', m.order_id, m.reference,
        case m.state when 1 then 'SUCCESS' else 'FAILED' end, m.amount, m.target, m.operator_ref, ${now}, a.callback_settings_version, ${now}
      from marked m join accounts a using (account_id)
      where m.state <> 0 and a.callback_version = 3 and a.callback_url is not null
      returning callback_id
    )
    select exists (select from here) as is_here, exists (select from written) as has_callback`;
  if (row?.has_callback) ctx.wakeCallbacks();
  if (!row?.is_here) throw movedAway(order.accountId);
  // A move that began meanwhile may have copied the order without the mark.
  await requireInThisCell(ctx.sql, order.accountId);
}

/** The same for orders that a search has found. Returns those that are here: the accounts of the others are moving. */
export async function markUnansweredHere(ctx: OrdersContext, orders: readonly OrderKey[]): Promise<readonly OrderKey[]> {
  const here: OrderKey[] = [];
  for (const order of orders) if (await markIfHere(ctx, order)) here.push(order);
  return here;
}

async function markIfHere(ctx: OrdersContext, order: OrderKey): Promise<boolean> {
  try {
    await markUnanswered(ctx, order);
    return true;
  } catch (error) {
    if (codeOf(error) === ACCOUNT_MOVED) return false;
    throw error;
  }
}

/**
 * Marks all orders that a dead process may have left unanswered. A duplicate callback is better than none. Returns how many
 * could not be marked, because their accounts are moving.
 */
export async function markAllUnanswered(ctx: OrdersContext, processId: string, sinceMilliseconds: number): Promise<number> {
  const rows = await ctx.sql<{ account_id: string; order_id: string }[]>`
    select account_id, order_id from orders
    where order_id >= ${orderIdAt(sinceMilliseconds)} and process_id = ${processId} and not unanswered`;
  const orders = rows.map((row) => ({ accountId: row.account_id, orderId: row.order_id }));
  return orders.length - (await markUnansweredHere(ctx, orders)).length;
}

/** Returns a function that records whether the reply was handed to the network. */
export function createReplyRecorder(ctx: OrdersContext, order: OrderKey): (answered: boolean) => void {
  return (answered) => {
    if (answered) ctx.inProgress.replied(order.orderId);
    else void recordLostReply(ctx, order);
  };
}

async function recordLostReply(ctx: OrdersContext, order: OrderKey): Promise<void> {
  try {
    await markInItsCell(ctx, order);
    ctx.inProgress.replied(order.orderId);
  } catch (error) {
    ctx.log.warn({ err: error, order: order.orderId }, "lost reply could not be recorded; will retry");
    ctx.inProgress.lost(order);
  }
}

/** The account may have moved to another cell while the order was in progress. */
async function markInItsCell(ctx: OrdersContext, order: OrderKey): Promise<void> {
  if (await markIfHere(ctx, order)) return;
  for (const other of ctx.otherCells()) if (await markIfHere(other, order)) return;
  throw movedAway(order.accountId);
}

/** Records the lost replies that could not be recorded before. */
export async function retryLostReplies(ctx: OrdersContext): Promise<void> {
  for (const order of ctx.inProgress.takeLostReplies()) await recordLostReply(ctx, order);
}
