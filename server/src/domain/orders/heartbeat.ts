import { hostname } from "node:os";
import { type Clock, sharedNow, sinceStep, steadyNow } from "../../platform/core/clock.ts";
import { orderIdAt } from "../../platform/core/ids.ts";
import { releaseClaims } from "../callbacks/store.ts";
import type { OrdersContext } from "./context.ts";
import { markAllUnanswered, markUnanswered, retryLostReplies } from "./no-answer.ts";
import type { OrderKey } from "./store.ts";
import { watchLeftBehind } from "./watch-store.ts";

// A process that has not been seen for so long is dead, or so slow that asking about its orders does no harm.
const DEAD_MILLISECONDS = 15_000;
// An accept whose reply was lost may still be in the database.
const OWN_STRAGGLERS_MILLISECONDS = 5_000;
// An order's id may be a moment older than its place among the unanswered.
const REPLY_MARGIN_MILLISECONDS = 1_000;
// Between an order's id and the batch that writes it.
const MARGIN_MILLISECONDS = 60_000;
// A connection that is lost may leave the database at work for a while.
const SEARCH_MILLISECONDS = 10 * MARGIN_MILLISECONDS;
const OVERLAP_MILLISECONDS = 5_000;

/** Says that this process lives and since when its oldest unfinished order dates. */
export async function beat(ctx: OrdersContext): Promise<void> {
  const now = new Date(ctx.clock.now());
  const oldest = new Date(ctx.open.oldest() ?? ctx.clock.now());
  await ctx.sql`
    insert into processes (process_id, host, pid, started_at, seen_at, oldest_open_at, clock_offset_seconds)
    values (${ctx.processId}, ${hostname()}, ${process.pid}, ${now}, ${new Date(sharedNow(ctx.clock))}, ${oldest}, ${ctx.clock.offsetSeconds ?? 0})
    on conflict (process_id) do update set seen_at = excluded.seen_at, oldest_open_at = excluded.oldest_open_at,
      clock_offset_seconds = excluded.clock_offset_seconds`;
  await retryLostReplies(ctx);
}

/** Finds what dead processes, and lost replies of this one, have left pending. Answers how many. */
export async function recoverOrders(ctx: OrdersContext): Promise<number> {
  const now = ctx.clock.now();
  const others = await ctx.sql<ProcessRow[]>`
    select process_id, host, pid, seen_at, oldest_open_at from processes where process_id <> ${ctx.processId}`;
  let found = 0;
  for (const dead of others.filter((one) => isDead(one, ctx.clock))) found += await recoverFrom(ctx, dead, now);
  const own = await searchOwn(ctx, now);
  for (const order of own) await markUnanswered(ctx, order);
  found += own.length;
  if (found > 0) ctx.log.warn({ orders: found }, "orders were left pending by a crash; their providers will be asked");
  return found;
}

/** Everything recent at first and after trouble; else what came since the last search and what was under way then. */
async function searchOwn({ sql, open, processId, clock }: OrdersContext, now: number): Promise<readonly OrderKey[]> {
  const { until, lastFailureAt } = open.search;
  const createdBefore = now - OWN_STRAGGLERS_MILLISECONDS;
  const isWide = until === null || (lastFailureAt !== null && steadyNow(clock) - lastFailureAt < SEARCH_MILLISECONDS);
  // After the clock was set back, new orders are older by their ids than what was searched before.
  const fromOrderId = orderIdAt(isWide ? createdBefore - SEARCH_MILLISECONDS : Math.min(until, createdBefore) - OVERLAP_MILLISECONDS);
  const next = Math.min(createdBefore, open.oldest() ?? createdBefore);
  const found = await watchLeftBehind(sql, { processId, fromOrderId, createdBefore, underWay: open.ids(), now });
  open.search.until = next;
  return found;
}

type ProcessRow = {
  readonly process_id: string;
  readonly host: string;
  readonly pid: number;
  readonly seen_at: Date;
  readonly oldest_open_at: Date;
};

async function recoverFrom(ctx: OrdersContext, dead: ProcessRow, now: number): Promise<number> {
  const oldest = dead.oldest_open_at.getTime();
  await markAllUnanswered(ctx, dead.process_id, oldest - REPLY_MARGIN_MILLISECONDS);
  const fromOrderId = orderIdAt(oldest - MARGIN_MILLISECONDS);
  const found = await watchLeftBehind(ctx.sql, { processId: dead.process_id, fromOrderId, createdBefore: null, underWay: [], now });
  await releaseClaims(ctx.sql, dead.process_id, now);
  await ctx.sql`delete from processes where process_id = ${dead.process_id} and seen_at = ${dead.seen_at}`;
  return found.length;
}

/** A beat in the future is from before the clock was set back. Right after that nobody has beaten by the new time yet. */
function isDead(row: ProcessRow, clock: Clock): boolean {
  const isSilent = Math.abs(sharedNow(clock) - row.seen_at.getTime()) > DEAD_MILLISECONDS;
  return (isSilent && sinceStep(clock) > DEAD_MILLISECONDS) || (row.host === hostname() && !isRunning(row.pid));
}

/** Of this machine. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is running, only not ours to signal.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A process that ends in order leaves nothing to be found. */
export async function deregisterProcess(ctx: OrdersContext): Promise<void> {
  if (ctx.open.size() === 0) await ctx.sql`delete from processes where process_id = ${ctx.processId}`;
}
