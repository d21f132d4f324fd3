import { setTimeout as delay } from "node:timers/promises";
import type { OrdersContext } from "../domain/orders/context.ts";
import { beat } from "../domain/orders/recovery/heartbeat.ts";
import { redatePolls } from "../domain/orders/recovery/order-jobs.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { Sql } from "../platform/db/connection.ts";

// A cell that does not answer must not hold up the clock of all accounts.
const WAIT_MILLISECONDS = 1_000;
const RETRY_MILLISECONDS = 1_000;

/**
 * Records in every cell from which time on this process's orders are looked for, before its clock is set back. Only home must
 * have recorded it: a cell that does not answer takes no orders, and gets the next heartbeat when it is back.
 */
export async function announceSetBack(
  home: OrdersContext,
  others: readonly OrdersContext[],
  now: number,
  waitMilliseconds = WAIT_MILLISECONDS,
): Promise<void> {
  const answered = Promise.allSettled(others.map((ctx) => beat(ctx, now)));
  await beat(home, now);
  await Promise.race([answered, delay(waitMilliseconds, undefined, { ref: false })]);
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
  // The cells that are still to be corrected, each with whether the clock was set back.
  const uncorrected = new Map<OrdersContext, boolean>();
  const running = new Set<OrdersContext>();
  const correct = async (ctx: OrdersContext) => {
    running.add(ctx);
    for (let isSetBack = uncorrected.get(ctx); isSetBack !== undefined && !ctx.stopping.aborted; isSetBack = uncorrected.get(ctx)) {
      uncorrected.delete(ctx);
      try {
        await redatePolls({ sql: ctx.sql, clock }, isSetBack, longestPollMilliseconds());
      } catch {
        // The cell's health check logs what is wrong.
        uncorrected.set(ctx, isSetBack || uncorrected.get(ctx) === true);
        await delay(retryMilliseconds, undefined, { ref: false });
      }
    }
    running.delete(ctx);
  };
  return async (isSetBack) => {
    for (const ctx of otherCells()) {
      uncorrected.set(ctx, isSetBack || uncorrected.get(ctx) === true);
      if (!running.has(ctx)) void correct(ctx);
    }
    await redatePolls({ sql, clock }, isSetBack, longestPollMilliseconds());
  };
}
