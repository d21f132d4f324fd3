import type { PeriodicJob } from "../../../platform/core/periodic-job.ts";
import type { OrdersContext } from "../context.ts";
import { beat, recoverOrders } from "./heartbeat.ts";
import { createOrderPolls } from "./order-polls.ts";
import { repairPollTimes } from "./pending-poll-store.ts";
import { searchAgain } from "./search-again.ts";

/** The periodic jobs that bring every accepted order to its end. Every process runs them. */
export function orderJobs(ctx: OrdersContext): readonly PeriodicJob[] {
  const polls = createOrderPolls(ctx);
  return [
    // A process without orders that dies leaves nothing, so its heartbeat may be older. It must stay well below DEAD_MILLISECONDS.
    { name: "heartbeat", everyMilliseconds: 1_000, quietMilliseconds: 3_000, atActivity: true, run: () => beat(ctx) },
    {
      name: "order polls",
      everyMilliseconds: 500,
      quietMilliseconds: 60_000,
      atActivity: true,
      run: polls.start,
      drained: polls.drained,
    },
    { name: "order recovery", everyMilliseconds: 5_000, run: () => recoverOrders(ctx) },
    { name: "late order recovery", everyMilliseconds: 10_000, quietMilliseconds: 60_000, run: () => searchAgain(ctx) },
  ];
}

/** Registers this process and takes over the orders of processes that have died. */
export async function takeOver(ctx: OrdersContext, longestPollMilliseconds: number): Promise<void> {
  await beat(ctx);
  const redated = await repairPollTimes(ctx.sql, ctx.clock.now(), longestPollMilliseconds);
  if (redated > 0) ctx.log.warn({ orders: redated }, "orders had a poll time in the future from a wrong clock; they are polled now");
  await recoverOrders(ctx);
}

/**
 * Corrects the times of polls after the clock was set. Right after it was set back, no time of a poll can be trusted, so that
 * those of the next minute are kept and all others are due at once.
 */
export async function redatePolls(
  ctx: Pick<OrdersContext, "sql" | "clock">,
  isSetBack: boolean,
  longestPollMilliseconds: number,
): Promise<void> {
  await repairPollTimes(ctx.sql, ctx.clock.now(), isSetBack ? 0 : longestPollMilliseconds);
}
