import { formatMoney } from "../../../platform/core/money.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import type { AuditEntry } from "../../audit/append.ts";
import { lockWallets } from "../../ledger/store.ts";
import { readProviderRef } from "../../orders/attempts/store.ts";
import type { Order } from "../../orders/order.ts";
import { findById, lockOrders } from "../../orders/store.ts";
import { writeLocked } from "../../orders/write/locked-write.ts";
import { withRetries } from "../../orders/write/with-retries.ts";
import { FAILURE_SENTENCES } from "../../shared/failure.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { freeReference } from "../signed/once-per-reference.ts";
import { refuseBarred } from "../signed/service-refusals.ts";
import { askBusProvider } from "./ask-provider.ts";
import { type Block, type BlockKey, findBlock } from "./blocks-store.ts";
import {
  type CancelKey,
  type Cancellation,
  deleteCancellation,
  findAbandoned,
  findCancellation,
  findUnfinished,
  lockCancellation,
  markDone,
} from "./cancel-store.ts";
import type { CancelContext } from "./context.ts";
import { releaseSeats } from "./seats-store.ts";
import { readSeats } from "./tickets-store.ts";

export const CANCEL_CALL = "/bus/cancel";

export type Finished = { readonly kind: "cancelled"; readonly cancellation: Cancellation } | Refusal;

/**
 * Completes a recorded cancellation: cancels at the provider, then refunds. It may run again, also concurrently, because the
 * provider recognises our reference and the refund is posted once.
 */
export async function finishCancellation(ctx: CancelContext, key: CancelKey): Promise<Finished> {
  const cancellation = await findCancellation(ctx.sql, key);
  if (!cancellation) return notCancelled("The provider refused the cancellation.");
  if (cancellation.state === "done") return { kind: "cancelled", cancellation };
  const [block, order] = [await findBlock(ctx.sql, cancellation), await findById(ctx.sql, cancellation.orderId, key.accountId)];
  if (!block || !order) throw new Error(`The ticket of cancellation ${key.cancelId} does not exist.`);
  const barred = refuseBarred(ctx, key.accountId, block.provider, "Bus booking");
  if (barred) {
    // The cancellation was requested in trial mode: the simulator must not refund real money.
    await ctx.sql.begin((tx) => undoIn(tx, key));
    return barred;
  }
  const providerService = ctx.providerServices.bus(block.provider);
  if (!providerService)
    return refused("busy", "The provider of this ticket is not available at the moment. Try again with the same request_id.");
  const { tripId, providerRef } = block;
  const { orderId, operatorRef } = order;
  const { seats } = cancellation;
  const ticketRef = await readProviderRef(ctx.sql, order);
  const answer = await askBusProvider(ctx, () =>
    providerService.cancel({ reference: key.cancelId, orderId, tripId, providerRef, ticketRef, pnr: operatorRef ?? "", seats }),
  );
  if (answer.kind === "refused") return answer;
  if (answer.value.kind === "refused") {
    await ctx.sql.begin((tx) => undoIn(tx, key));
    ctx.log.info({ cancellation: key.cancelId, why: answer.value.why }, "bus provider refused a cancellation");
    return notCancelled(FAILURE_SENTENCES.cancellation_refused);
  }
  const returned = answer.value.refund;
  // The client gets what was quoted. Staff must learn that the provider returns another amount.
  if (returned !== undefined && returned !== cancellation.refund)
    ctx.log.warn(
      { cancellation: key.cancelId, quoted: formatMoney(cancellation.refund), returned: formatMoney(returned) },
      "bus provider returns another amount than was quoted",
    );
  const finished = await withRetries(ctx.log, () => ctx.sql.begin((tx) => postIn(ctx, tx, key, block)));
  if (finished.kind === "cancelled") ctx.wakeCallbacks();
  return finished;
}

/** Completes the ticket's unfinished cancellations of earlier requests. */
export async function finishUnfinished(ctx: CancelContext, key: BlockKey): Promise<void> {
  for (const one of await findUnfinished(ctx.sql, key)) await finishCancellation(ctx, one);
}

const ABANDONED_MILLISECONDS = 30_000;

/** Completes cancellations that a crash, or a provider that did not answer, left unfinished. */
export async function finishAbandonedCancellations(ctx: CancelContext): Promise<void> {
  const now = ctx.clock.now();
  for (const one of await findAbandoned(ctx.sql, now - ABANDONED_MILLISECONDS, now)) await finishCancellation(ctx, one);
}

function notCancelled(why: string): Refusal {
  return refused("not_cancellable", why);
}

/** Locks the wallet before the order, in the order that all writers use. */
async function postIn(ctx: CancelContext, tx: Transaction, key: CancelKey, block: Block): Promise<Finished> {
  await lockWallets(tx, [key.accountId]);
  const asked = await lockCancellation(tx, key);
  if (asked?.state === "done") return { kind: "cancelled", cancellation: asked };
  const [order] = asked ? await lockOrders(tx, [asked]) : [];
  if (!asked || !order) return notCancelled("The provider refused the cancellation.");
  if (order.state !== "SUCCESS") {
    await undoIn(tx, key);
    return notCancelled("The booking was reversed in the meantime, and its money returned.");
  }
  await refund(ctx, tx, { asked, order, block });
  return { kind: "cancelled", cancellation: { ...asked, state: "done" } };
}

type Case = { readonly asked: Cancellation; readonly order: Order; readonly block: Block };

async function refund(ctx: CancelContext, tx: Transaction, { asked, order, block }: Case): Promise<void> {
  const now = ctx.clock.now();
  const others = (await readSeats(tx, block)).filter((one) => !asked.seats.includes(one.seat));
  await markDone(tx, asked);
  const wanted = { provider: block.provider, tripId: block.tripId, seats: asked.seats };
  await (ctx.seats?.release(wanted, block) ?? releaseSeats(tx, wanted, block));
  const { cancelId, refund, reason } = asked;
  const whole = others.every((one) => one.cancelling === "done");
  const audit = auditOf(asked);
  const [written] = await writeLocked(
    tx,
    [
      {
        kind: "cancel",
        order,
        cancelId,
        refund,
        whole,
        failure: { code: "cancelled", words: reason },
        callbackId: ctx.ids.entry(now),
        ...(audit ? { audit } : {}),
      },
    ],
    now,
    ctx.processId,
  );
  if (written?.kind !== "done") throw new Error(`The cancellation ${cancelId} was answered ${written?.kind}.`);
}

function auditOf(asked: Cancellation): AuditEntry | null {
  if (asked.actor === null) return null;
  const both = asked.approved ? { approval_id: asked.approved.approvalId, made_by: asked.approved.madeBy } : {};
  const details = {
    reason: asked.reason,
    cancel_id: asked.cancelId,
    seats: asked.seats,
    refund_amount: formatMoney(asked.refund),
    ...both,
  };
  return { actor: asked.actor, action: "order.cancelled", subject: { kind: "order", id: asked.orderId }, details };
}

async function undoIn(tx: Transaction, key: CancelKey): Promise<void> {
  const asked = await lockCancellation(tx, key);
  if (asked?.state !== "asked") return;
  await deleteCancellation(tx, key);
  if (asked.requestId !== null) await freeReference(tx, { accountId: key.accountId, call: CANCEL_CALL, requestId: asked.requestId });
}
