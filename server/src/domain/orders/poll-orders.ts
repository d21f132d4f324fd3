import { sinceStep } from "../../platform/core/clock.ts";
import type { Finding } from "../providers/connector.ts";
import { applyFinding } from "./apply-finding.ts";
import type { OrdersContext } from "./context.ts";
import { providerRequest } from "./dispatch-order.ts";
import type { Order } from "./order.ts";
import { nextPollDelay } from "./poll-schedule.ts";
import { settleOrder } from "./settle-order.ts";
import { findById } from "./store.ts";
import { claimDue, dropWatch, postpone, postponeForHuman, type Watched } from "./watch-store.ts";

const AT_ONCE = 50;
// "Not found" is believed only twice in a row, and never before the provider's own quiet time.
const NOT_FOUND_TIMES = 2;

/** Asks about every order that is due, a bounded number at once. Answers how many were due. */
export async function pollOrders(ctx: OrdersContext): Promise<number> {
  const due = await claimDue(ctx.sql, ctx.clock.now(), AT_ONCE);
  await Promise.all(due.map((watched) => pollOne(ctx, watched).catch((error: unknown) => logFault(ctx, watched, error))));
  return due.length;
}

async function pollOne(ctx: OrdersContext, watched: Watched): Promise<void> {
  const order = await findById(ctx.sql, watched.orderId, watched.accountId);
  if (!order || order.state === "FAILED") return dropWatch(ctx.sql, watched);
  const finding = await ask(ctx, order);
  // Settling takes the row away by itself, or leaves one for a success that may be taken back.
  if (await applyFinding(ctx, order, finding)) return order.state === "pending" ? undefined : dropWatch(ctx.sql, watched);
  const missing = finding.kind === "not_found" ? watched.notFound + 1 : 0;
  if (order.state === "pending" && missing >= NOT_FOUND_TIMES && isQuiet(ctx, order, watched)) {
    const failure = { code: "not_received", words: "The provider has no such request." } as const;
    await settleOrder(ctx, null, order, { to: "FAILED", operatorRef: null, failure, ofAttempt: order.attempt });
    return;
  }
  await askAgain(ctx, watched, missing);
}

async function ask(ctx: OrdersContext, order: Order): Promise<Finding> {
  const connector = ctx.providerRegistry.connector(order.provider);
  if (!connector) return { kind: "unknown", why: `the provider ${order.provider} is not open` };
  return await connector.ask(providerRequest(order), ctx.stopping);
}

function isQuiet(ctx: OrdersContext, order: Order, { since }: Watched): boolean {
  const connector = ctx.providerRegistry.connector(order.provider);
  if (connector === null) return false;
  const now = ctx.clock.now();
  const quiet = Math.max(connector.quietMilliseconds, connector.timeoutMilliseconds);
  // Counted from its latest attempt, which may still be under way somewhere. One in the future is from before the clock was set back.
  const waited = now - (order.updatedAt <= now ? order.updatedAt : since);
  // A clock that was set forward has not made anybody wait.
  return waited > quiet && sinceStep(ctx.clock) > quiet;
}

async function askAgain(ctx: OrdersContext, watched: Watched, missing: number): Promise<void> {
  const now = ctx.clock.now();
  const delay = nextPollDelay(watched.polls + 1, now - watched.since);
  if (delay !== null) return postpone(ctx.sql, watched, now + delay, missing);
  ctx.log.error(
    { order: watched.orderId, account: watched.accountId },
    "an order is still in doubt after a day: a person has to settle it",
  );
  await postponeForHuman(ctx.sql, watched);
}

function logFault(ctx: OrdersContext, watched: Watched, error: unknown): void {
  ctx.log.warn({ err: error, order: watched.orderId }, "an order could not be asked about; it will be again");
}
