import type { OrdersContext } from "./context.ts";
import type { OpenOrder } from "./open-orders.ts";
import type { Settle } from "./operations.ts";
import type { Order } from "./order.ts";

export type Ending = Pick<Settle, "to" | "operatorRef" | "failure" | "recheckAt" | "ofAttempt" | "result">;

/**
 * Ends a pending order: its money, its state, all in one transaction; then whoever waits is told. Answers the order as it
 * was found, when somebody else has ended it or taken it on before; else nothing.
 */
export async function settleOrder(ctx: OrdersContext, open: OpenOrder | null, order: Order, ending: Ending): Promise<Order | null> {
  const written = await ctx.writer.write({
    kind: "settle",
    order,
    watched: open?.watched ?? true,
    callbackId: ctx.ids.entry(ctx.clock.now()),
    ...ending,
  });
  if (written.kind === "found") open?.resolve({ order: written.order, available: written.available });
  if (written.kind !== "done") return written.kind === "found" ? written.order : null;
  // Only what was answered pending before is told; its callback need not wait for the next poll.
  if (open?.watched ?? true) ctx.wakeCallbacks();
  open?.resolve({ order: settled(order, ending, written.at), available: written.available });
  return null;
}

function settled(order: Order, ending: Ending, at: number): Order {
  return { ...order, state: ending.to, operatorRef: ending.operatorRef, failure: ending.failure, updatedAt: at };
}
