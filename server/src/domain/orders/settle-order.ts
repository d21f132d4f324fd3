import type { OrdersContext } from "./context.ts";
import type { Order } from "./order.ts";
import type { OrderInProgress } from "./orders-in-progress.ts";
import type { Settle } from "./write/operations.ts";

export type Settlement = Pick<Settle, "to" | "operatorRef" | "failure" | "recheckAt" | "ofAttempt" | "result" | "evidence">;

/**
 * Ends a pending order, with its money, in one transaction and then notifies waiting requests. Returns the order as found
 * when it had already ended or moved to another provider; null otherwise.
 */
export async function settleOrder(
  ctx: OrdersContext,
  inProgress: OrderInProgress | null,
  order: Order,
  settlement: Settlement,
): Promise<Order | null> {
  const written = await ctx.writer.write({
    kind: "settle",
    order,
    hasPoll: inProgress?.hasPoll ?? true,
    callbackId: ctx.ids.entry(ctx.clock.now()),
    ...settlement,
  });
  if (written.kind === "found") {
    noteContradiction(ctx, written.order, settlement);
    inProgress?.resolve({ order: written.order, available: written.available });
  }
  if (written.kind !== "done") return written.kind === "found" ? written.order : null;
  // Only an order that was answered pending has a callback; deliver it without waiting for the next delivery poll.
  if (inProgress?.hasPoll ?? true) ctx.wakeCallbacks();
  inProgress?.resolve({ order: settled(order, settlement, written.at), available: written.available });
  return null;
}

/** A final order keeps its status, for example when staff settled it while the provider was working. Staff must learn of the answer. */
function noteContradiction({ log }: OrdersContext, { orderId, accountId, provider, state }: Order, { to }: Settlement): void {
  if (state === "pending" || state === to) return;
  log.error(
    { order: orderId, account: accountId, provider, status: state, answer: to },
    "a provider's answer contradicts the order's final status",
  );
}

function settled(order: Order, settlement: Settlement, at: number): Order {
  return { ...order, state: settlement.to, operatorRef: settlement.operatorRef, failure: settlement.failure, updatedAt: at };
}
