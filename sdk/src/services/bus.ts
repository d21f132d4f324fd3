import type { Calls } from "../calls.js";
import { successFromWire } from "../codec.js";
import { findOrder } from "../create-transaction.js";
import { List, type ListOptions } from "../list.js";
import type { Order, Outcome } from "../outcome.js";
import type { CallOptions } from "../settings.js";
import { Transactions } from "../transactions.js";
import type { WaitOptions } from "../wait-for-final.js";
import type {
  Block,
  BlockInput,
  BookInput,
  BookingReference,
  BusExtra,
  CancelInput,
  Cancellation,
  CancelQuote,
  CancelQuoteInput,
  City,
  Seat,
  TicketReference,
  Trip,
} from "./bus-types.js";

const BOOKING = { path: "/bus/book", lookupPath: "/bus/book", reference: "request_id", refund: "due" } as const;
const TICKET = { ...BOOKING, lookupPath: "/bus/ticket" } as const;

export class Bus {
  readonly #calls: Calls;
  readonly #transactions: Transactions<BookInput, BusExtra, "due">;

  constructor(calls: Calls) {
    this.#calls = calls;
    this.#transactions = new Transactions(calls, BOOKING);
  }

  cities(filter: { readonly search?: string | undefined } = {}, options: ListOptions = {}): List<City> {
    return new List(this.#calls, "/bus/cities", filter, options);
  }

  /** `from` and `to` are city ids, `date` is `YYYY-MM-DD`. */
  trips(input: { readonly from: string; readonly to: string; readonly date: string }, options: ListOptions = {}): List<Trip> {
    return new List(this.#calls, "/bus/trips", input, options);
  }

  async seats(input: { readonly tripId: string }, options: CallOptions = {}): Promise<readonly Seat[]> {
    const reply = await this.#calls.get("/bus/seats", input, options);
    return (successFromWire(reply.body) as { readonly seats: readonly Seat[] }).seats;
  }

  /** Holds seats for 8 minutes. */
  async block(input: BlockInput, options: CallOptions = {}): Promise<Block> {
    return successFromWire((await this.#calls.post("/bus/block", input, options)).body) as Block;
  }

  /** Books what was blocked. Calling it again with the same input is safe. */
  async book(input: BookInput, options: CallOptions = {}): Promise<Outcome<BusExtra>> {
    return await this.#transactions.create(input, options);
  }

  async getBooking(reference: BookingReference, options: CallOptions = {}): Promise<Order<BusExtra>> {
    return await this.#transactions.get(reference, options);
  }

  async waitForFinal(reference: BookingReference, options: WaitOptions = {}): Promise<Order<BusExtra>> {
    return await this.#transactions.waitForFinal(reference, options);
  }

  async bookAndSettle(input: BookInput, options: WaitOptions = {}): Promise<Outcome<BusExtra>> {
    return await this.#transactions.createAndSettle(input, options);
  }

  async getTicket(reference: TicketReference, options: CallOptions = {}): Promise<Order<BusExtra>> {
    return await findOrder<BusExtra, "due">(this.#calls, TICKET, reference, options);
  }

  /** What cancelling these seats would return. */
  async quoteCancel(input: CancelQuoteInput, options: CallOptions = {}): Promise<CancelQuote> {
    const query = { ticketNo: input.ticketNo, seats: input.seats.join(",") };
    return successFromWire((await this.#calls.get("/bus/cancel", query, options)).body) as CancelQuote;
  }

  /** Cancels at the quote's price, once per `requestId`. When it throws without an answer, `getTicket` says whether it happened. */
  async cancel(input: CancelInput, options: CallOptions = {}): Promise<Cancellation> {
    return successFromWire((await this.#calls.post("/bus/cancel", input, options)).body) as Cancellation;
  }
}
