import { sweepNonces } from "../gate/sweep-nonces.ts";
import { unixSeconds } from "../kernel/clock.ts";
import type { OrdersContext } from "../orders/context.ts";
import { beat, farewell, recoverOrders } from "../orders/heartbeat.ts";
import { pollOrders } from "../orders/poll-orders.ts";
import { type Repeated, repeat } from "./repeat.ts";

/** Everything that has to happen without being asked for. Several processes may run it at once. */
export async function startHousekeeping(ctx: OrdersContext): Promise<() => Promise<void>> {
  await beat(ctx);
  const jobs: readonly Repeated[] = [
    { name: "heartbeat", everyMilliseconds: 1_000, run: () => beat(ctx) },
    { name: "order polls", everyMilliseconds: 200, run: () => pollOrders(ctx) },
    { name: "order recovery", everyMilliseconds: 5_000, run: () => recoverOrders(ctx) },
    { name: "nonce sweep", everyMilliseconds: 30_000, run: () => sweepNonces(ctx.sql, unixSeconds(ctx.clock)) },
  ];
  const ends = jobs.map((job) => repeat(job, ctx.log));
  return async () => {
    await Promise.all(ends.map((end) => end()));
    await farewell(ctx);
  };
}
