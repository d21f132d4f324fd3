import { hostname } from "node:os";
import { orderIdAt } from "../kernel/ids.ts";
import type { OrdersContext } from "./context.ts";
import { markAllUnanswered } from "./no-answer.ts";
import { watchLeftBehind } from "./watch-store.ts";

// A process that has not been seen for so long is dead, or so slow that asking about its orders does no harm.
const DEAD_MILLISECONDS = 15_000;
// An accept whose reply was lost may still be in the database.
const OWN_STRAGGLERS_MILLISECONDS = 60_000;
// An order's id may be a moment older than its place among the unanswered.
const REPLY_MARGIN_MILLISECONDS = 1_000;
// Between an order's id and the batch that writes it.
const MARGIN_MILLISECONDS = 60_000;

/** Says that this process lives and since when its oldest unfinished order dates. */
export async function beat(ctx: OrdersContext): Promise<void> {
  const now = new Date(ctx.clock.now());
  const oldest = new Date(ctx.open.oldest() ?? ctx.clock.now());
  await ctx.sql`
    insert into processes (process_id, host, started_at, seen_at, oldest_open_at)
    values (${ctx.processId}, ${hostname()}, ${now}, ${now}, ${oldest})
    on conflict (process_id) do update set seen_at = excluded.seen_at, oldest_open_at = excluded.oldest_open_at`;
}

/** Finds what dead processes, and lost replies of this one, have left pending. Answers how many. */
export async function recoverOrders(ctx: OrdersContext): Promise<number> {
  const now = ctx.clock.now();
  const dead = await ctx.sql<{ process_id: string; oldest_open_at: Date }[]>`
    select process_id, oldest_open_at from processes where seen_at < ${new Date(now - DEAD_MILLISECONDS)} and process_id <> ${ctx.processId}`;
  let found = 0;
  for (const process of dead) {
    const fromOrderId = orderIdAt(process.oldest_open_at.getTime() - MARGIN_MILLISECONDS);
    await markAllUnanswered(ctx, process.process_id, process.oldest_open_at.getTime() - REPLY_MARGIN_MILLISECONDS);
    found += await watchLeftBehind(ctx.sql, { processId: process.process_id, fromOrderId, createdBefore: now, underWay: [], now });
    await ctx.sql`delete from processes where process_id = ${process.process_id} and seen_at < ${new Date(now - DEAD_MILLISECONDS)}`;
  }
  const createdBefore = now - OWN_STRAGGLERS_MILLISECONDS;
  const fromOrderId = orderIdAt(createdBefore - 10 * MARGIN_MILLISECONDS);
  found += await watchLeftBehind(ctx.sql, { processId: ctx.processId, fromOrderId, createdBefore, underWay: ctx.open.ids(), now });
  if (found > 0) ctx.log.warn({ orders: found }, "orders were left pending by a crash; their providers will be asked");
  return found;
}

/** A process that ends in order leaves nothing to be found. */
export async function farewell(ctx: OrdersContext): Promise<void> {
  if (ctx.open.size() === 0) await ctx.sql`delete from processes where process_id = ${ctx.processId}`;
}
