import { formatMoney, smallerOf } from "../../../../platform/core/money.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import type { AuditEntry } from "../../../audit/append.ts";
import { lockWallets } from "../../../ledger/store.ts";
import type { Order } from "../../../orders/order.ts";
import { lockOrders } from "../../../orders/store.ts";
import { refundable } from "../../../orders/write/effects.ts";
import { writeLocked } from "../../../orders/write/locked-write.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { freeReference } from "../../signed/once-per-reference.ts";
import type { Block } from "../blocks/blocks-store.ts";
import { releaseSeats } from "../blocks/seats-store.ts";
import { readSeats } from "../bookings/tickets-store.ts";
import type { CancelContext } from "../context.ts";
import {
  type Cancellation,
  deleteCancellation,
  lockCancellation,
  markDone,
  releaseCancellation,
  restoreCancellation,
  takeSeats,
} from "./cancel-store.ts";

export const CANCEL_CALL = "/bus/cancel";

export type Finished = { readonly kind: "cancelled"; readonly cancellation: Cancellation } | Refusal;

export function notCancelled(why: string): Refusal {
  return refused("not_cancellable", why);
}

const SEATS_TAKEN = "The provider cancelled the seats, but here they belong to another cancellation by now.";

/**
 * Refunds what the provider has cancelled, once, also if the record was deleted meanwhile. Locks the wallet before the order, in
 * the order that all writers use.
 */
export async function postCancellation(
  ctx: CancelContext,
  tx: Transaction,
  claimed: Cancellation,
  block: Block,
  audit: AuditEntry | null = auditOf(claimed),
): Promise<Finished> {
  await lockWallets(tx, [claimed.accountId]);
  const asked = await lockCancellation(tx, claimed);
  if (asked?.state === "done") return { kind: "cancelled", cancellation: asked };
  const [order] = await lockOrders(tx, [claimed]);
  if (!order) throw new Error(`The ticket of cancellation ${claimed.cancelId} does not exist.`);
  if (order.state !== "SUCCESS") {
    if (asked) await undo(tx, asked);
    return notCancelled("The booking was reversed in the meantime, and its money returned.");
  }
  if (!asked) {
    ctx.log.error(
      { cancellation: claimed.cancelId, order: claimed.orderId },
      "provider cancelled seats whose cancellation had been deleted",
    );
    await restoreCancellation(tx, claimed);
  }
  // The other one may have refunded them, so this one waits for it to be refused, or for staff.
  if (!(await takeSeats(tx, claimed))) {
    await releaseCancellation(tx, claimed, SEATS_TAKEN);
    return refused("busy", "The result of the cancellation is not known yet.");
  }
  const done = { ...claimed, state: "done", refund: smallerOf(claimed.refund, refundable(order)) } as const;
  if (done.refund !== claimed.refund)
    ctx.log.error(
      { cancellation: done.cancelId, quoted: formatMoney(claimed.refund) },
      "a quoted refund exceeds what is left of the payment",
    );
  await refund(ctx, tx, { asked: done, order, block, audit });
  return { kind: "cancelled", cancellation: done };
}

type Case = { readonly asked: Cancellation; readonly order: Order; readonly block: Block; readonly audit: AuditEntry | null };

async function refund(ctx: CancelContext, tx: Transaction, { asked, order, block, audit }: Case): Promise<void> {
  const now = ctx.clock.now();
  const others = (await readSeats(tx, block)).filter((one) => !asked.seats.includes(one.seat));
  await markDone(tx, asked);
  const wanted = { provider: block.provider, tripId: block.tripId, seats: asked.seats };
  await (ctx.seats?.release(wanted, block) ?? releaseSeats(tx, wanted, block));
  const { cancelId, refund, reason } = asked;
  const whole = others.every((one) => one.cancelling === "done");
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

/** Deletes a refused cancellation. False when it has succeeded, or its provider was asked again, since it was read. */
export async function undoCancellation(tx: Transaction, read: Cancellation): Promise<boolean> {
  const asked = await lockCancellation(tx, read);
  if (asked && (asked.state === "done" || asked.askedTimes !== read.askedTimes)) return false;
  if (asked) await undo(tx, asked);
  return true;
}

async function undo(tx: Transaction, asked: Cancellation): Promise<void> {
  const { accountId, requestId } = asked;
  await deleteCancellation(tx, asked);
  if (requestId !== null) await freeReference(tx, { accountId, operation: CANCEL_CALL, requestId });
}
