import type { OrdersContext } from "./context.ts";
import type { Order } from "./order.ts";
import type { OrderInProgress, OrderResult } from "./orders-in-progress.ts";
import { findById } from "./store.ts";

const RECHECK_MILLISECONDS = 100;
const TIMER_STEP_MILLISECONDS = 20;

/** Another process works on the order: poll the database until the order is final or answered pending, or the reply is due. */
export async function waitForOtherProcess(ctx: OrdersContext, order: Order, deadline: number): Promise<Order> {
  let current = order;
  while (current.state === "pending" && !current.answeredPending && !isReplyDue(ctx, deadline)) {
    await new Promise((resolve) => setTimeout(resolve, RECHECK_MILLISECONDS));
    current = (await findById(ctx.sql, order.orderId, order.accountId)) ?? current;
  }
  return current;
}

/** Whether the reply is due: its deadline has come, or the process stops. */
export function isReplyDue({ inProgress }: Pick<OrdersContext, "inProgress">, deadline: number): boolean {
  return inProgress.waitsEnded.aborted || performance.now() >= deadline;
}

/** The result of an order in progress; null when the reply is due first. */
export function waitFor(ctx: OrdersContext, inProgress: OrderInProgress, deadline: number): Promise<OrderResult | null> {
  return new Promise((resolve, reject) => {
    // Rounded up to whole steps: Node shares one timer list among timers of equal duration.
    const waitMilliseconds = isReplyDue(ctx, deadline) ? 0 : deadline - performance.now();
    const steps = Math.ceil(Math.max(0, waitMilliseconds) / TIMER_STEP_MILLISECONDS);
    const timer = setTimeout(resolve, steps * TIMER_STEP_MILLISECONDS, null);
    const leave = ctx.inProgress.waits.add(() => resolve(null));
    const stop = () => {
      clearTimeout(timer);
      leave();
    };
    inProgress.result.then(resolve, reject).then(stop);
  });
}
