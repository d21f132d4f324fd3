import { orderIdAt } from "../../../platform/core/ids.ts";
import type { OrdersContext } from "../context.ts";
import type { OrderKey } from "../store.ts";

/**
 * Spec, Events, status callbacks, rule 5: in version 3 a request that got no reply is answered by a callback. A final
 * order is reported now, a pending one when it ends. At most one such callback is sent for an order.
 */
export async function markUnanswered(ctx: OrdersContext, order: OrderKey): Promise<void> {
  const now = new Date(ctx.clock.now());
  const { count } = await ctx.sql`
    with marked as (
      update orders set unanswered = true
      where account_id = ${order.accountId} and order_id = ${order.orderId} and not unanswered
      returning account_id, order_id, reference, state, amount, target, operator_ref
    )
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at, settings_version, created_at)
    select m.account_id, next_callback_id(for_account => m.account_id, for_order => m.order_id, proposed => ${ctx.ids.entry(ctx.clock.now())}), 'status', m.order_id, m.reference,
      case m.state when 1 then 'SUCCESS' else 'FAILED' end, m.amount, m.target, m.operator_ref, ${now}, a.callback_settings_version, ${now}
    from marked m join accounts a using (account_id)
    where m.state <> 0 and a.callback_version = 3 and a.callback_url is not null`;
  if (count > 0) ctx.wakeCallbacks();
}

/** Marks all orders that a dead process may have left unanswered. A duplicate callback is better than none. */
export async function markAllUnanswered(ctx: OrdersContext, processId: string, sinceMilliseconds: number): Promise<void> {
  const rows = await ctx.sql<{ account_id: string; order_id: string }[]>`
    select account_id, order_id from orders
    where order_id >= ${orderIdAt(sinceMilliseconds)} and process_id = ${processId} and not unanswered`;
  for (const row of rows) await markUnanswered(ctx, { accountId: row.account_id, orderId: row.order_id });
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
    await markUnanswered(ctx, order);
    ctx.inProgress.replied(order.orderId);
  } catch (error) {
    ctx.log.warn({ err: error, order: order.orderId }, "lost reply could not be recorded; will retry");
    ctx.inProgress.lost(order);
  }
}

/** Records the lost replies that could not be recorded before. */
export async function retryLostReplies(ctx: OrdersContext): Promise<void> {
  for (const order of ctx.inProgress.takeLostReplies()) await recordLostReply(ctx, order);
}
