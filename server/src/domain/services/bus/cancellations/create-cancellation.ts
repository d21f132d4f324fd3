import { z } from "zod";
import { formatMoney } from "../../../../platform/core/money.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { lockWallets } from "../../../ledger/store.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { replyAmount } from "../../fields.ts";
import { recordField, requestIdField } from "../../signed/fields.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import { findRecorded, type OperationReference, oncePerReference } from "../../signed/once-per-reference.ts";
import { refuseBarred } from "../../signed/service-refusals.ts";
import { findBlockOfTicket, lockBlock } from "../blocks/blocks-store.ts";
import { findTicket, type TicketKey } from "../bookings/find-ticket.ts";
import { readSeats } from "../bookings/tickets-store.ts";
import { type BusContext, SERVICE } from "../context.ts";
import { DONE, donePart, seatsInBody } from "../fields.ts";
import { type Cancellation, findCancelledOrder, findQuote, insertCancellation } from "./cancel-store.ts";
import { chargeForSeats } from "./charges.ts";
import { finishCancellation, finishUnfinished } from "./finish-cancellation.ts";
import { CANCEL_CALL } from "./post-cancellation.ts";
import { refuseCancel } from "./refuse-cancel.ts";

const input = z.object({ request_id: requestIdField, ticket_no: recordField, seats: seatsInBody, quote_ref: recordField });
type Input = z.infer<typeof input>;

export function createCancellation(ctx: BusContext): Route {
  return route({
    method: "POST",
    path: CANCEL_CALL,
    service: SERVICE,
    kind: "plain",
    summary: "Cancels seats of a ticket for the quoted refund",
    input,
    reply: z.object({
      ...donePart,
      request_id: z.string(),
      urid: z.string(),
      cancel_id: z.string(),
      refund_amount: replyAmount,
      cancelled_seats: z.array(z.string()),
      order_id: z.string(),
    }),
    refusals: ["ticket_not_found", "not_cancellable", "partial_cancel_not_allowed", "cancel_quote_changed"],
    handle: async ({ account, input: asked }) => {
      const { accountId } = account;
      const reference = { accountId, operation: CANCEL_CALL, requestId: asked.request_id, fingerprint: fingerprintOf(asked) };
      const known = await findRecorded(ctx, reference);
      if (!known) await finishEarlier(ctx, { accountId, ticketNo: asked.ticket_no });
      const recorded = known ?? (await oncePerReference(ctx, reference, (tx) => reserve(ctx, tx, accountId, asked)));
      if (recorded.kind === "refused") return await withFirstOrder(ctx, reference, recorded);
      const finished = await finishCancellation(ctx, { accountId, cancelId: recorded.record });
      return finished.kind === "refused" ? finished : cancelAnswer(asked.request_id, finished.cancellation);
    },
  });
}

function cancelAnswer(requestId: string, cancellation: Cancellation): Answer {
  return {
    kind: "record",
    fields: {
      ...DONE,
      request_id: requestId,
      urid: requestId,
      cancel_id: cancellation.cancelId,
      refund_amount: formatMoney(cancellation.refund),
      cancelled_seats: cancellation.seats,
      order_id: cancellation.orderId,
    },
  };
}

/** A duplicate's refusal names the order that the first request cancelled. */
async function withFirstOrder(ctx: BusContext, reference: OperationReference, refusal: Refusal): Promise<Refusal> {
  if (refusal.error !== "duplicate_reference") return refusal;
  const orderId = await findCancelledOrder(ctx.sql, reference.accountId, reference.requestId);
  return orderId === null ? refusal : { ...refusal, extra: { order_id: orderId } };
}

async function finishEarlier(ctx: BusContext, key: TicketKey): Promise<void> {
  const block = await findBlockOfTicket(ctx.sql, key);
  if (block) await finishUnfinished(ctx, block);
}

/** Records the cancellation. Of two requests for one seat, the second waits here and finds the seat cancelled. */
async function reserve(ctx: BusContext, tx: Transaction, accountId: string, asked: Input): Promise<string | Refusal> {
  const key = { accountId, ticketNo: asked.ticket_no };
  // The wallet is the fence of an account that moves to another cell: there the record would be missing.
  await lockWallets(tx, [accountId]);
  const known = await findBlockOfTicket(tx, key);
  if (known) await lockBlock(tx, known);
  const ticket = await findTicket(tx, key);
  if (!ticket) return refused("ticket_not_found", "There is no such ticket.");
  const barred = refuseBarred(ctx, accountId, ticket.block.provider, "Bus booking");
  if (barred) return barred;
  const now = ctx.clock.now();
  const seats = await readSeats(tx, ticket.block);
  const against = refuseCancel(ticket, seats, asked.seats, now);
  if (against) return against;
  const quote = await findQuote(tx, key, asked.quote_ref);
  if (!quote || quote.seats.join() !== asked.seats.join()) return quoteChanged("The quote is not for these seats of this ticket.");
  const refund = quote.byProvider ? quote.refund : chargeForSeats(ticket.block, seats, asked.seats, now).refund;
  if (now >= quote.validUntil || quote.refund !== refund) return quoteChanged("The quote is no longer valid. Request a new one.");
  const cancelId = `CAN${ctx.ids.entry(now)}`;
  const { orderId } = ticket.order;
  await insertCancellation(tx, {
    accountId,
    cancelId,
    blockRef: ticket.block.blockRef,
    orderId,
    requestId: asked.request_id,
    actor: null,
    reason: "The ticket was cancelled.",
    seats: asked.seats,
    refund,
    createdAt: now,
  });
  return cancelId;
}

function quoteChanged(why: string): Refusal {
  return refused("cancel_quote_changed", why);
}
