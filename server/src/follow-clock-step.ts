import { setTimeout as delay } from "node:timers/promises";
import type { OrdersContext } from "./domain/orders/context.ts";
import { beat } from "./domain/orders/recovery/heartbeat.ts";
import { redatePolls } from "./domain/orders/recovery/order-jobs.ts";
import type { Clock } from "./platform/core/clock.ts";
import type { Sql } from "./platform/db/connection.ts";

// A cell that does not answer must not hold up the clock of all accounts.
const PATIENCE_MILLISECONDS = 1_000;
const RETRY_MILLISECONDS = 1_000;

/**
 * Records in every cell from which time on this process's orders are looked for, before its clock is set back. Only home must
 * have recorded it: a cell that does not answer takes no orders, and gets the next heartbeat when it is back.
 */
export async function announceSetBack(
  home: OrdersContext,
  others: readonly OrdersContext[],
  now: number,
  patienceMilliseconds = PATIENCE_MILLISECONDS,
): Promise<void> {
  const answered = Promise.allSettled(others.map((ctx) => beat(ctx, now)));
  await beat(home, now);
  await Promise.race([answered, delay(patienceMilliseconds, undefined, { ref: false })]);
}

type Options = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly otherCells: () => readonly OrdersContext[];
  readonly longestPollMilliseconds: () => number;
  readonly retryMilliseconds?: number;
};

/**
 * Returns the function that corrects the times of polls after the clock was set. It waits for home only. A cell that does not
 * answer is corrected when it is back.
 */
export function createRedate(options: Options): (isSetBack: boolean) => Promise<void> {
  const { sql, clock, otherCells, longestPollMilliseconds, retryMilliseconds = RETRY_MILLISECONDS } = options;
  // Whether the clock was set back, for each cell that is to be corrected.
  const owed = new Map<OrdersContext, boolean>();
  const running = new Set<OrdersContext>();
  const redateOwed = async (ctx: OrdersContext) => {
    running.add(ctx);
    for (let isSetBack = owed.get(ctx); isSetBack !== undefined && !ctx.stopping.aborted; isSetBack = owed.get(ctx)) {
      owed.delete(ctx);
      try {
        await redatePolls({ sql: ctx.sql, clock }, isSetBack, longestPollMilliseconds());
      } catch {
        // The cell's health check logs what is wrong.
        owed.set(ctx, isSetBack || owed.get(ctx) === true);
        await delay(retryMilliseconds, undefined, { ref: false });
      }
    }
    running.delete(ctx);
  };
  return async (isSetBack) => {
    for (const ctx of otherCells()) {
      owed.set(ctx, isSetBack || owed.get(ctx) === true);
      if (!running.has(ctx)) void redateOwed(ctx);
    }
    await redatePolls({ sql, clock }, isSetBack, longestPollMilliseconds());
  };
}
