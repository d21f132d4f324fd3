import { orderIdAt } from "../../platform/core/ids.ts";
import type { OrdersContext } from "./context.ts";
import type { OrderKey } from "./store.ts";

/**
 * Spec, Events, status callbacks, rule 5: a request that got no answer at all is answered by a callback in
 * version 3. What is final is told now; what is pending, when it ends. At most once an order.
 */
export async function markUnanswered(ctx: OrdersContext, order: OrderKey): Promise<void> {
  const now = new Date(ctx.clock.now());
  const { count } = await ctx.sql`
    with marked as (
      update orders set unanswered = true
      where account_id = ${order.accountId} and order_id = ${order.orderId} and not unanswered
      returning account_id, order_id, reference, state, amount, target, operator_ref
    )
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at, epoch, created_at)
    select m.account_id, next_callback_id(m.account_id, m.order_id, ${ctx.ids.entry(ctx.clock.now())}), 'status', m.order_id, m.reference,
      case m.state when 1 then 'SUCCESS' else 'FAILED' end, m.amount, m.target, m.operator_ref, ${now}, a.callback_epoch, ${now}
    from marked m join accounts a using (account_id)
    where m.state <> 0 and a.callback_version = 3 and a.callback_url is not null`;
  if (count > 0) ctx.wakeCallbacks();
}

/** The same for all that a dead process may not have answered: better told twice than never. */
export async function markAllUnanswered(ctx: OrdersContext, processId: string, sinceMilliseconds: number): Promise<void> {
  const rows = await ctx.sql<{ account_id: string; order_id: string }[]>`
    select account_id, order_id from orders
    where order_id >= ${orderIdAt(sinceMilliseconds)} and process_id = ${processId} and not unanswered`;
  for (const row of rows) await markUnanswered(ctx, { accountId: row.account_id, orderId: row.order_id });
}

/** What becomes of a reply once it has been handed to the network, or could not be. */
export function replyWatcher(ctx: OrdersContext, order: OrderKey): (answered: boolean) => void {
  return (answered) => {
    if (answered) ctx.open.replied(order.orderId);
    else void tellOfLostReply(ctx, order);
  };
}

async function tellOfLostReply(ctx: OrdersContext, order: OrderKey): Promise<void> {
  try {
    await markUnanswered(ctx, order);
    ctx.open.replied(order.orderId);
  } catch (error) {
    ctx.log.warn({ err: error, order: order.orderId }, "a lost reply could not be noted; it is tried again");
    ctx.open.lost(order);
  }
}

/** Notes the lost replies that could not be noted before. */
export async function retryLostReplies(ctx: OrdersContext): Promise<void> {
  for (const order of ctx.open.takeLost()) await tellOfLostReply(ctx, order);
}
