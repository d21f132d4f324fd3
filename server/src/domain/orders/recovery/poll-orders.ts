import type { Connector, Finding } from "../../providers/connector.ts";
import { readProviderRef } from "../attempts/store.ts";
import { withEvidence } from "../attempts/with-evidence.ts";
import type { OrdersContext } from "../context.ts";
import { WITHOUT_PROVIDER, WITHOUT_REFERENCE, withoutReference } from "../dispatch-order.ts";
import { NO_PROVIDER, type Order } from "../order.ts";
import { connectorOf, notRunning, requestToAsk } from "../provider-request.ts";
import { settleOrder } from "../settle-order.ts";
import { applyFinding } from "./apply-finding.ts";
import { deletePoll, type PendingPoll, postponePoll, stopPolling, type Undecided } from "./pending-poll-store.ts";
import { nextPollDelay, pollingOf } from "./poll-schedule.ts";
import { isQuiet, wasSentWithOtherSecrets } from "./quiet-time.ts";
import { resendOrder } from "./resend-order.ts";

// "Not found" counts only twice in a row, and never before the provider's quiet time has passed.
const NOT_FOUND_TIMES = 2;

/** Asks the provider of one order that is due. An error leaves the order due again when its lease ends. */
export async function pollOrder(ctx: OrdersContext, poll: PendingPoll, order: Order | null): Promise<void> {
  try {
    await pollOne(ctx, poll, order);
  } catch (error) {
    logPollFault(ctx, poll, error);
  }
}

async function pollOne(ctx: OrdersContext, poll: PendingPoll, order: Order | null): Promise<void> {
  if (!order || order.state === "FAILED") return deletePoll(ctx.sql, poll);
  if (order.provider === NO_PROVIDER) return failUnsent(ctx, order);
  const asked = await ask(ctx, order, poll);
  // Settling deletes the pending poll, or keeps one for a success that may still be reversed.
  if (await applyFinding(ctx, order, asked)) return order.state === "pending" ? undefined : deletePoll(ctx.sql, poll);
  const resent = await resendOrder(ctx, order, poll, asked);
  if (resent !== null && (await applyFinding(ctx, order, resent))) return;
  const finding = resent ?? asked;
  const missing = finding.kind === "not_found" ? poll.notFound + 1 : 0;
  const isElsewhere = finding.kind === "not_found" && wasSentWithOtherSecrets(ctx, order, poll);
  if (order.state === "pending" && missing >= NOT_FOUND_TIMES && isQuiet(ctx, order, poll) && !isElsewhere) {
    const failure = { code: "not_received", words: "The provider has no such request." } as const;
    await settleOrder(ctx, null, order, { to: "FAILED", operatorRef: null, failure, ofAttempt: order.attempt });
    return;
  }
  await postponeOrStop(ctx, order, poll, {
    notFound: missing,
    attempt: order.attempt,
    why: isElsewhere ? ELSEWHERE : doubtOf(order, finding),
  });
}

/** An order for which there was no provider was never sent. Its process died before it could fail it. */
async function failUnsent(ctx: OrdersContext, order: Order): Promise<void> {
  await settleOrder(ctx, null, order, { to: "FAILED", operatorRef: null, failure: WITHOUT_PROVIDER, ofAttempt: order.attempt });
}

const ELSEWHERE =
  "not found: the provider has no such request, but its secrets were changed after the order was sent, perhaps to another account. " +
  "Ask the provider, then settle the order manually";

const LONGEST_WHY = 500;

/** Why an answer left the order in doubt, such as another amount; null when the query itself failed or the answer says nothing new. */
function doubtOf({ state }: Order, finding: Finding): string | null {
  if (state === "pending" && finding.kind === "not_found") return "not found: the provider has no such request so far";
  if (state !== "pending" || finding.kind !== "unknown" || finding.fault !== undefined) return null;
  // PostgreSQL cannot store a NUL character.
  return `unknown: ${finding.why.replace(/\p{Cc}+/gu, " ")}`.slice(0, LONGEST_WHY);
}

// An order may be polled hundreds of times. Of the later polls only an answer that decides something is kept as evidence.
const POLLS_KEPT = 10;
const UNDECIDED: ReadonlySet<Finding["kind"]> = new Set(["pending", "unknown", "not_sent"]);

async function ask(ctx: OrdersContext, order: Order, { polls }: PendingPoll): Promise<Finding> {
  const connector = connectorOf(ctx, order);
  if (!connector) return { kind: "unknown", why: notRunning(order) };
  return await askProvider(ctx, order, connector, ({ kind }) => polls < POLLS_KEPT || !UNDECIDED.has(kind));
}

/** Queries an order's status by our reference and the provider's, and keeps the evidence. */
export async function askProvider(
  ctx: OrdersContext,
  order: Order,
  connector: Connector,
  keeps: (finding: Finding) => boolean,
): Promise<Finding> {
  const request = await requestToAsk(ctx, connector, order, await readProviderRef(ctx.sql, order)).catch(withoutReference);
  if (request === null) return { kind: "unknown", why: `could not ask: ${WITHOUT_REFERENCE}`, fault: "order" };
  return await withEvidence(ctx, order, (record) => connector.ask(request, ctx.stopping, record), { keeps });
}

async function postponeOrStop(ctx: OrdersContext, order: Order, poll: PendingPoll, undecided: Undecided): Promise<void> {
  const now = ctx.clock.now();
  const policy = pollingOf(connectorOf(ctx, order), order);
  const delay = nextPollDelay(poll.polls + 1, now - poll.since, policy);
  if (delay !== null) return postponePoll(ctx.sql, poll, now + delay, undecided);
  ctx.log.error({ order: poll.orderId, account: poll.accountId }, "order still in doubt after a day; staff must settle it");
  await stopPolling(ctx.sql, poll, undecided);
}

export function logPollFault(ctx: OrdersContext, poll: PendingPoll, error: unknown): void {
  ctx.log.warn({ err: error, order: poll.orderId }, "order poll failed; will retry");
}
