import type { QueryInput, QueryResult, QueryValue } from "@corprail/connector";
import { z } from "zod";
import { type Read, read, resultOf } from "./ask.ts";
import type { Session } from "./client.ts";

export const bookedTicket = z.object({
  ticket_no: z.string(),
  pnr: z.string(),
  seats: z.array(z.string()),
  cancelled_seats: z.array(z.string()),
  refund_amount: z.string(),
});

const bookingReply = z.object({
  status: z.enum(["SUCCESS", "FAILED", "pending"]),
  request_id: z.string(),
  ticket: bookedTicket,
});
type Booking = z.infer<typeof bookingReply>;
type TicketInput = QueryInput<"bus.ticket">;

const quoteReply = z.object({ ticket_no: z.string(), quote_ref: z.string().min(1), refund_amount: z.string(), charges: z.string() });
type Quote = z.infer<typeof quoteReply>;
const cancelReply = z.object({
  request_id: z.string(),
  cancel_id: z.string(),
  refund_amount: z.string(),
  cancelled_seats: z.array(z.string()),
});

/** The ticket of our booking. It is found by our reference, because a callback does not carry the ticket's number. */
async function readBooking(session: Session, { reference }: TicketInput): Promise<Read<Booking>> {
  const booking = await read(session.get("/bus/book", [["request_id", reference]]), bookingReply);
  if (booking.kind !== "answered" || booking.value.request_id === reference) return booking;
  return { kind: "unavailable", why: "the reply is about another booking" };
}

export async function ticketStatus(session: Session, input: TicketInput): Promise<QueryResult<Partial<QueryValue<"bus.ticket">>>> {
  const booking = await readBooking(session, input);
  if (booking.kind === "refused" && booking.error === "not_found") return { kind: "answered", value: { status: "not_booked" } };
  if (booking.kind !== "answered") return resultOf(booking, () => ({}));
  const { status, ticket } = booking.value;
  if (status === "pending") return { kind: "unavailable", why: "the booking is still pending" };
  const issued = ticket.ticket_no !== "";
  const seats = { pnr: ticket.pnr, cancelled_seats: ticket.cancelled_seats };
  if (status === "SUCCESS") return { kind: "answered", value: { status: "booked", ...seats } };
  return { kind: "answered", value: issued ? { status: "cancelled", ...seats } : { status: "not_booked" } };
}

export async function quoteCancellation(
  session: Session,
  input: TicketInput,
): Promise<QueryResult<Partial<QueryValue<"bus.cancel_quote">>>> {
  const booking = await readBooking(session, input);
  if (booking.kind !== "answered") return resultOf(booking, () => ({}));
  const quote = await readQuote(session, booking.value.ticket.ticket_no, input.seats);
  return resultOf(quote, ({ refund_amount: refund, charges }) => ({ refund, charges }));
}

async function readQuote(session: Session, ticketNo: string, seats: readonly string[]): Promise<Read<Quote>> {
  if (ticketNo === "")
    return { kind: "refused", error: "not_cancellable", code: "not_cancellable", reason: "there is no ticket", body: {} };
  const query = [["ticket_no", ticketNo] as const, ["seats", [...seats].sort().join(",")] as const];
  const quote = await read(session.get("/bus/cancel", query), quoteReply);
  if (quote.kind !== "answered" || quote.value.ticket_no === ticketNo) return quote;
  return { kind: "unavailable", why: "the reply is about another ticket" };
}

type Cancelled = QueryResult<Partial<QueryValue<"bus.cancel">>>;
type CancelInput = QueryInput<"bus.cancel">;

/**
 * Cancels seats once for each `cancel_reference`, also when it is asked again after a missing answer. Seats that are cancelled
 * already, and a reference that the other side knows, are the earlier request's doing and no refusal.
 */
export async function cancelSeats(session: Session, input: CancelInput): Promise<Cancelled> {
  const booking = await readBooking(session, input);
  if (booking.kind !== "answered") return resultOf(booking, () => ({}));
  const done = alreadyCancelled(booking.value, input.seats);
  if (done) return done;
  const ticketNo = booking.value.ticket.ticket_no;
  const quote = await readQuote(session, ticketNo, input.seats);
  if (quote.kind === "unavailable") return quote;
  if (ticketNo === "") return resultOf(quote, () => ({}));
  // While an earlier request is being carried out its seats have no quote. Without a valid quote nothing is cancelled now.
  const quoteRef = quote.kind === "answered" ? quote.value.quote_ref : "none";
  const body = { request_id: input.cancel_reference, ticket_no: ticketNo, seats: [...input.seats].sort(), quote_ref: quoteRef };
  const cancelled = await read(session.post("/bus/cancel", body), cancelReply);
  if (cancelled.kind === "unavailable") return cancelled;
  if (cancelled.kind === "refused" && cancelled.error === "duplicate_reference") return await afterEarlierRequest(session, input);
  if (quote.kind === "refused") return resultOf(quote, () => ({}));
  if (cancelled.kind === "refused" && cancelled.error === "cancel_quote_changed")
    return { kind: "unavailable", why: "the refund has changed since it was quoted" };
  if (cancelled.kind === "answered" && cancelled.value.request_id !== input.cancel_reference)
    return { kind: "unavailable", why: "the reply is about another cancellation" };
  return resultOf(cancelled, ({ refund_amount: refund }) => ({ refund, charges: quote.value.charges }));
}

async function afterEarlierRequest(session: Session, input: CancelInput): Promise<Cancelled> {
  const booking = await readBooking(session, input);
  const done = booking.kind === "answered" ? alreadyCancelled(booking.value, input.seats) : null;
  return done ?? { kind: "unavailable", why: "the cancellation is still being carried out" };
}

/** Null unless all these seats are cancelled. The refund is known when no other seats were cancelled. */
function alreadyCancelled({ ticket }: Booking, seats: readonly string[]): Cancelled | null {
  if (!seats.every((seat) => ticket.cancelled_seats.includes(seat))) return null;
  const whole = ticket.cancelled_seats.length === seats.length;
  return { kind: "answered", value: whole ? { refund: ticket.refund_amount } : {} };
}
