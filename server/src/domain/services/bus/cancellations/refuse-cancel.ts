import { type Refusal, refused } from "../../../shared/refusals.ts";
import type { Ticket } from "../bookings/find-ticket.ts";
import type { TicketSeat } from "../bookings/tickets-store.ts";

const WORDS = {
  pending: "The booking is still being processed.",
  FAILED: "The booking failed, or the whole ticket was cancelled or reversed.",
} as const;

/** Returns why these seats of a ticket cannot be cancelled now; null when they can. */
export function refuseCancel(ticket: Ticket, seats: readonly TicketSeat[], wanted: readonly string[], now: number): Refusal | null {
  const { order, block } = ticket;
  if (order.state !== "SUCCESS") return refused("not_cancellable", WORDS[order.state]);
  if (now >= block.departureAt) return refused("not_cancellable", "The bus has departed.");
  const left = seats.filter((one) => one.cancelling === null).map((one) => one.seat);
  const wrong = wanted.filter((seat) => !left.includes(seat));
  if (wrong.length > 0) return refused("not_cancellable", `Not a seat of this ticket, or already cancelled: ${wrong.join(", ")}.`);
  if (!block.partialCancel && wanted.length < left.length)
    return refused("partial_cancel_not_allowed", `Tickets of this trip can only be cancelled as a whole: ${left.join(", ")}.`);
  return null;
}
