import { hostname } from "node:os";
import { type Clock, sharedNow, sinceStep, steadyNow } from "../../../platform/core/clock.ts";
import { orderIdAt } from "../../../platform/core/ids.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import { releaseClaims } from "../../callbacks/delivery/store.ts";
import type { OrdersContext } from "../context.ts";
import { takeOverOrphans } from "./orphans.ts";
import { removeAfterFailure, removeDead, SEARCH_MILLISECONDS } from "./search-again.ts";
import { markAllUnanswered, retryLostReplies } from "./unanswered-requests.ts";

// A process that was silent for this long is dead, or so slow that polling its orders does no harm.
const DEAD_MILLISECONDS = 15_000;
// The database may still be committing an accept whose reply was lost.
const LATE_COMMIT_MILLISECONDS = 5_000;
// An order's id may be slightly older than its entry among the unanswered requests.
const REPLY_MARGIN_MILLISECONDS = 1_000;
// Upper bound of the delay between an order's id and the batch that writes it.
const MARGIN_MILLISECONDS = 60_000;
const OVERLAP_MILLISECONDS = 5_000;

/**
 * Records that this process is alive and how old its oldest order in progress is. Before the clock is set back, `comingTime` is
 * the time from then on: should this process die before its next heartbeat, its orders are looked for from there.
 */
export async function beat(ctx: OrdersContext, comingTime = ctx.clock.now()): Promise<void> {
  const now = new Date(ctx.clock.now());
  const oldest = new Date(Math.min(oldestInAnyCell(ctx) ?? ctx.clock.now(), comingTime));
  await ctx.sql`
    insert into processes (process_id, host, pid, started_at, seen_at, oldest_open_at, clock_offset_seconds)
    values (${ctx.processId}, ${hostname()}, ${process.pid}, ${now}, ${new Date(sharedNow(ctx.clock))}, ${oldest}, ${ctx.clock.offsetSeconds ?? 0})
    on conflict (process_id) do update set seen_at = excluded.seen_at, oldest_open_at = excluded.oldest_open_at,
      clock_offset_seconds = excluded.clock_offset_seconds`;
  await retryLostReplies(ctx);
}

/** When this process's oldest order in progress began. In any cell, because its account may have moved to this one meanwhile. */
function oldestInAnyCell(ctx: OrdersContext): number | null {
  const times = [ctx, ...ctx.otherCells()].flatMap(({ inProgress }) => inProgress.oldest() ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** Schedules polls for orders left pending by dead processes, or by lost replies of this one. Returns their number. */
export async function recoverOrders(ctx: OrdersContext): Promise<number> {
  const now = ctx.clock.now();
  const others = await ctx.sql<ProcessRow[]>`
    select process_id, host, pid, seen_at, oldest_open_at from processes where process_id <> ${ctx.processId}`;
  let found = 0;
  for (const dead of others.filter((one) => isDead(one, ctx.clock))) found += await recoverFrom(ctx, dead, now);
  found += await searchOwnOrphans(ctx, now);
  if (found > 0) ctx.log.warn({ orders: found }, "orders left pending by a crash were found; their providers will be polled");
  return found;
}

/** Searches everything recent at first and after a failure; otherwise what is new since, or was in progress at, the last search. */
async function searchOwnOrphans(ctx: OrdersContext, now: number): Promise<number> {
  const { inProgress, processId } = ctx;
  const { until } = inProgress.search;
  const createdBefore = now - LATE_COMMIT_MILLISECONDS;
  const isWide = until === null || hasFailedLately(ctx);
  // After the clock was set back, new orders have smaller ids than the ones already searched.
  const fromOrderId = orderIdAt(isWide ? createdBefore - SEARCH_MILLISECONDS : Math.min(until, createdBefore) - OVERLAP_MILLISECONDS);
  const next = Math.min(createdBefore, inProgress.oldest() ?? createdBefore);
  const { found, left } = await takeOverOrphans(ctx, { processId, fromOrderId, createdBefore, underWay: inProgress.ids(), now });
  if (left === 0) inProgress.search.until = next;
  return found;
}

function hasFailedLately({ inProgress, clock }: OrdersContext): boolean {
  const { lastFailureAt } = inProgress.search;
  return lastFailureAt !== null && steadyNow(clock) - lastFailureAt < SEARCH_MILLISECONDS;
}

type ProcessRow = Pick<Row<"processes">, "process_id" | "host" | "pid" | "seen_at" | "oldest_open_at">;

async function recoverFrom(ctx: OrdersContext, dead: ProcessRow, now: number): Promise<number> {
  const oldest = dead.oldest_open_at.getTime();
  const unmarked = await markAllUnanswered(ctx, dead.process_id, oldest - REPLY_MARGIN_MILLISECONDS);
  const since = oldest - MARGIN_MILLISECONDS;
  const fromOrderId = orderIdAt(since);
  const search = { processId: dead.process_id, fromOrderId, createdBefore: null, underWay: [], now };
  const { found, left } = await takeOverOrphans(ctx, search);
  await releaseClaims(ctx.sql, dead.process_id, now);
  // While an account is moving, the row says what to search for: the new cell gets a copy of it.
  if (unmarked + left === 0) await removeDead(ctx, { processId: dead.process_id, since }, dead.seen_at);
  return found;
}

/** A heartbeat in the future predates a clock step. Right after a step no process has sent a heartbeat in the new time yet. */
function isDead(row: ProcessRow, clock: Clock): boolean {
  const isSilent = Math.abs(sharedNow(clock) - row.seen_at.getTime()) > DEAD_MILLISECONDS;
  return (isSilent && sinceStep(clock) > DEAD_MILLISECONDS) || (row.host === hostname() && !isRunning(row.pid));
}

/** Whether a process of this machine is running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is running under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Removes this process from the list when it has stopped. With orders in progress, or without having recorded a lost reply, it
 * stays there until another process has taken over what it left.
 */
export async function deregisterProcess(ctx: OrdersContext): Promise<void> {
  if (oldestInAnyCell(ctx) !== null) return;
  if (hasFailedLately(ctx)) await removeAfterFailure(ctx, ctx.clock.now() - SEARCH_MILLISECONDS - MARGIN_MILLISECONDS);
  else await ctx.sql`delete from processes where process_id = ${ctx.processId}`;
}
