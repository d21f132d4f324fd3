import { setTimeout as delay } from "node:timers/promises";
import { formatMoney } from "../../../../platform/core/money.ts";
import { readProviderRef } from "../../../orders/attempts/store.ts";
import type { Order } from "../../../orders/order.ts";
import { nextPollDelay } from "../../../orders/recovery/poll-schedule.ts";
import { findById } from "../../../orders/store.ts";
import { isReplyDue } from "../../../orders/wait-for-result.ts";
import { withRetries } from "../../../orders/write/with-retries.ts";
import { FAILURE_SENTENCES } from "../../../shared/failure.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { refuseBarred } from "../../signed/service-refusals.ts";
import { askBusProvider } from "../ask-provider.ts";
import { type Block, type BlockKey, findBlock } from "../blocks/blocks-store.ts";
import type { CancelContext } from "../context.ts";
import type { BusProviderService, Cancelled, CancelRequest } from "../provider-service.ts";
import {
  type CancelKey,
  type Cancellation,
  claimCancellation,
  type DueCancellation,
  findCancellation,
  findDueCancellations,
  findUnfinished,
  LONGEST_RETRY_MILLISECONDS,
  postponeCancellation,
  releaseCancellation,
} from "./cancel-store.ts";
import { type Finished, notCancelled, postCancellation, undoCancellation } from "./post-cancellation.ts";

const REFUSED = notCancelled("The provider refused the cancellation.");
const UNDER_WAY = refused("busy", "The cancellation is in progress. Send the same request again to get its result.");
const LOOK_MILLISECONDS = 50;

/** Completes a recorded cancellation. While another call to the provider is in progress, it waits for that call's result. */
export async function finishCancellation(ctx: CancelContext, key: CancelKey): Promise<Finished> {
  const attempted = await attemptCancellation(ctx, key);
  if (attempted.kind !== "under way") return attempted;
  const deadline = performance.now() + ctx.replyWaitMilliseconds;
  for (;;) {
    const known = await findCancellation(ctx.sql, key);
    if (!known) return REFUSED;
    if (known.state === "done") return { kind: "cancelled", cancellation: known };
    if (!known.isBeingAsked || isReplyDue(ctx, deadline)) return UNDER_WAY;
    await delay(LOOK_MILLISECONDS);
  }
}

/** Completes the ticket's unfinished cancellations of earlier requests. */
export async function finishUnfinished(ctx: CancelContext, key: BlockKey): Promise<void> {
  for (const one of await findUnfinished(ctx.sql, key)) await attemptCancellation(ctx, one);
}

// Each may wait for the time limit of a provider that does not answer.
const CONCURRENT = 10;

/** Completes cancellations that a crash, or a provider that did not answer, left unfinished. */
export async function finishAbandonedCancellations(ctx: CancelContext): Promise<void> {
  const due = (await findDueCancellations(ctx.sql, ctx.clock.now())).values();
  const work = async () => {
    for (const one of due) await retryCancellation(ctx, one).catch((error: unknown) => logFault(ctx, one, error));
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
}

/** Postpones the cancellation first, so that the others have their turn however this call ends. */
async function retryCancellation(ctx: CancelContext, due: DueCancellation): Promise<void> {
  const now = ctx.clock.now();
  const delayMilliseconds = nextPollDelay(due.askedTimes, now - due.createdAt) ?? LONGEST_RETRY_MILLISECONDS;
  await postponeCancellation(ctx.sql, due, now + delayMilliseconds);
  await attemptCancellation(ctx, due);
}

function logFault(ctx: CancelContext, { cancelId }: DueCancellation, error: unknown): void {
  ctx.log.warn({ err: error, cancellation: cancelId }, "bus cancellation failed; will retry");
}

/** `under way`: somebody else is asking the provider. */
type Attempted = Finished | { readonly kind: "under way" };

/** Cancels at the provider, then refunds. Only one caller at a time asks the provider, and the refund is posted once. */
export async function attemptCancellation(ctx: CancelContext, key: CancelKey): Promise<Attempted> {
  const cancellation = await findCancellation(ctx.sql, key);
  if (!cancellation) return REFUSED;
  if (cancellation.state === "done") return { kind: "cancelled", cancellation };
  if (cancellation.isBeingAsked) return { kind: "under way" };
  const [block, order] = [await findBlock(ctx.sql, cancellation), await findById(ctx.sql, cancellation.orderId, key.accountId)];
  if (!block || !order) throw new Error(`The ticket of cancellation ${key.cancelId} does not exist.`);
  const barred = refuseBarred(ctx, key.accountId, block.provider, "Bus booking");
  if (barred) {
    // The cancellation was requested in trial mode: the simulator must not refund real money.
    await ctx.sql.begin((tx) => undoCancellation(tx, cancellation));
    return barred;
  }
  const providerService = ctx.providerServices.bus(block.provider);
  if (!providerService)
    return refused("busy", "The provider of this ticket is not available at the moment. Try again with the same request_id.");
  const claimed = await claimCancellation(ctx.sql, key, providerService.cancelMilliseconds + MARGIN_MILLISECONDS);
  return claimed ? await askOnce(ctx, providerService, { claimed, block, order }) : { kind: "under way" };
}

// For the database, and for a machine that is slow.
const MARGIN_MILLISECONDS = 30_000;

type Case = { readonly claimed: Cancellation; readonly block: Block; readonly order: Order };

/** Asks the provider once, with the call reserved, and does what its answer says. */
async function askOnce(ctx: CancelContext, providerService: BusProviderService, one: Case): Promise<Attempted> {
  const { claimed, block } = one;
  let doubt: string | null = null;
  try {
    const answer = await cancelAtProvider(ctx, providerService, one);
    if (answer.kind === "unclear") {
      doubt = answer.doubt;
      return answer.refusal;
    }
    if (answer.kind === "refused") return await undoRefused(ctx, claimed, answer.why);
    warnOfOtherRefund(ctx, claimed, answer);
    const finished = await withRetries(ctx.log, () => ctx.sql.begin((tx) => postCancellation(ctx, tx, claimed, block)));
    if (finished.kind === "cancelled") ctx.wakeCallbacks();
    return finished;
  } finally {
    await releaseCancellation(ctx.sql, claimed, doubt);
  }
}

type CancelAnswer = Cancelled | { readonly kind: "unclear"; readonly refusal: Refusal; readonly doubt: string | null };

/**
 * A refusal decides only when this was the first call: an earlier call without an answer may have been carried out, and then the
 * provider refuses the next one. So it is asked about the ticket.
 */
async function cancelAtProvider(ctx: CancelContext, providerService: BusProviderService, one: Case): Promise<CancelAnswer> {
  const request = await requestOf(ctx, one);
  const answer = await askBusProvider(ctx, () => providerService.cancel(request));
  if (answer.kind === "refused") return { kind: "unclear", refusal: answer, doubt: null };
  if (answer.value.kind === "cancelled" || one.claimed.askedTimes === 1) return answer.value;
  const state = await askBusProvider(ctx, () => providerService.readTicketState(request));
  if (state.kind === "refused") return { kind: "unclear", refusal: state, doubt: null };
  if (state.value === "cancelled") return { kind: "cancelled" };
  if (state.value === "booked") return answer.value;
  const doubt = `An earlier call had no answer, and now the provider refuses: ${answer.value.why}`;
  ctx.log.warn({ cancellation: one.claimed.cancelId, why: answer.value.why }, "bus cancellation in doubt; staff must decide");
  return { kind: "unclear", refusal: UNDER_WAY, doubt };
}

async function requestOf(ctx: CancelContext, { claimed, block, order }: Case): Promise<CancelRequest> {
  const { tripId, providerRef } = block;
  const { orderId, operatorRef } = order;
  const ticketRef = await readProviderRef(ctx.sql, order);
  return { reference: claimed.cancelId, orderId, tripId, providerRef, ticketRef, pnr: operatorRef ?? "", seats: claimed.seats };
}

async function undoRefused(ctx: CancelContext, claimed: Cancellation, why: string): Promise<Attempted> {
  // A call that outlasted its reservation may have been overtaken by another one, whose answer then counts.
  if (!(await ctx.sql.begin((tx) => undoCancellation(tx, claimed)))) return { kind: "under way" };
  ctx.log.info({ cancellation: claimed.cancelId, why }, "bus provider refused a cancellation");
  return notCancelled(FAILURE_SENTENCES.cancellation_refused);
}

/** The client gets what was quoted. Staff must learn that the provider returns another amount. */
function warnOfOtherRefund(ctx: CancelContext, { cancelId, refund }: Cancellation, { refund: returned }: { refund?: typeof refund }): void {
  if (returned === undefined || returned === refund) return;
  const amounts = { quoted: formatMoney(refund), returned: formatMoney(returned) };
  ctx.log.warn({ cancellation: cancelId, ...amounts }, "bus provider returns another amount than was quoted");
}
