import type { Sql } from "../db/connection.ts";
import { sweepNonces } from "../gate/sweep-nonces.ts";
import { type Clock, unixSeconds } from "../kernel/clock.ts";
import type { Log } from "../observe/log.ts";

const EVERY_MILLISECONDS = 30_000;

export type SweeperContext = { readonly sql: Sql; readonly clock: Clock; readonly log: Log };

/** Clears away what has had its time. Several processes may do so at once. */
export function startSweeper(ctx: SweeperContext): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const sweep = () => {
    running = sweepNonces(ctx.sql, unixSeconds(ctx.clock)).catch((error: unknown) => ctx.log.warn({ err: error }, "nonces could not be swept"));
  };
  const timer = setInterval(sweep, EVERY_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
