import type { QueryInput, QueryResult, QueryValue } from "@corprail/connector";
import { z } from "zod";
import { indiaMoment } from "../../../platform/core/india-time.ts";
import { formatMoney, type Money, parseMoney } from "../../../platform/core/money.ts";
import { type Queries, read, readAll, resultOf } from "./ask.ts";
import { bookedTicket, cancelSeats, quoteCancellation, ticketStatus } from "./bus-tickets.ts";
import type { Session } from "./client.ts";
import { splitTotal } from "./split-total.ts";
import { detailsOf, filled, type Transactions, unwritable, written } from "./transaction.ts";

const held = z.object({ block_provider_ref: filled });

export const busTransactions: Transactions = {
  "bus.book": {
    statusPath: "/bus/book",
    referenceName: "request_id",
    write: async (_session, request) => {
      const given = detailsOf(request, held);
      if (!given) return unwritable("the order has no block of the provider");
      return written("/bus/book", {
        request_id: request.reference,
        block_ref: given.block_provider_ref,
        amount: formatMoney(request.amount),
      });
    },
    result: (body) => {
      const ticket = bookedTicket.safeParse(body["ticket"]);
      return ticket.success ? { ticket_ref: ticket.data.ticket_no } : null;
    },
    correct: (finding, body, request) => {
      const ticket = bookedTicket.safeParse(body["ticket"]);
      if (finding.kind !== "reversed" || !ticket.success || ticket.data.cancelled_seats.length === 0) return finding;
      // A cancelled ticket is FAILED there. Only a cancellation that returned everything undoes the booking here as well.
      const refund = parseMoney(ticket.data.refund_amount);
      if (refund !== null && refund >= request.amount) return finding;
      const why = `the ticket was cancelled at the provider, which returned ${ticket.data.refund_amount.slice(0, 20)}`;
      return { kind: "unknown", why, ...(finding.providerRef === undefined ? {} : { providerRef: finding.providerRef }) };
    },
  },
};

const CITIES_PAGE = 200;
const TRIPS_PAGE = 200;

const moment = z.string().transform((text, check) => {
  const at = indiaMoment(text);
  if (at !== null) return at;
  check.addIssue({ code: "custom", message: "is no time" });
  return z.NEVER;
});
const point = z.object({ id: z.string(), name: z.string(), at: moment });
const city = z.object({ city_id: z.string(), name: z.string(), state: z.string() });
const trip = z.object({
  trip_id: z.string(),
  operator_name: z.string(),
  bus_type: z.string(),
  departure_at: moment,
  arrival_at: moment,
  available_seats: z.int(),
  fares: z.array(z.string()),
  boarding: z.array(point),
  dropping: z.array(point),
  id_proof_required: z.boolean(),
  max_seats: z.int(),
  partial_cancel: z.boolean(),
  cancellation: z.array(z.object({ hours_before: z.number(), charge_percent: z.string().regex(/^[0-9]{1,3}(?:\.[0-9]{1,2})?$/) })),
});
const seat = z.object({
  seat: z.string(),
  row: z.int(),
  column: z.int(),
  deck: z.enum(["lower", "upper"]),
  type: z.enum(["seater", "sleeper"]),
  available: z.boolean(),
  gender: z.enum(["any", "male", "female"]),
  fare: z.object({ base: z.string(), tax: z.string() }),
});
const seatsReply = z.object({ trip_id: z.string(), seats: z.array(seat) });
const blockReply = z.object({ request_id: z.string(), block_ref: z.string().min(1), total: z.string() });

export const busQueries: Queries = {
  "bus.cities": async (session) =>
    resultOf(await readAll(session, { path: "/bus/cities", limit: CITIES_PAGE, item: city }), (cities) => ({ cities: [...cities] })),
  "bus.trips": async (session, { from, to, date }) => {
    const query = [["from", from] as const, ["to", to] as const, ["date", date] as const];
    const listed = await readAll(session, { path: "/bus/trips", query, limit: TRIPS_PAGE, item: trip });
    return resultOf(listed, (trips) => ({ trips: trips.map(tripOf) }));
  },
  "bus.seats": async (session, { trip_id }) => {
    const listed = await read(session.get("/bus/seats", [["trip_id", trip_id]]), seatsReply);
    if (listed.kind === "answered" && listed.value.trip_id !== trip_id)
      return { kind: "unavailable", why: "the reply is about another trip" };
    return resultOf(listed, ({ seats }) => ({ seats: seats.map(({ fare, ...one }) => ({ ...one, base: fare.base, tax: fare.tax })) }));
  },
  "bus.block": (session, input) => block(session, input),
  "bus.ticket": (session, input) => ticketStatus(session, input),
  "bus.cancel_quote": (session, input) => quoteCancellation(session, input),
  "bus.cancel": (session, input) => cancelSeats(session, input),
};

/** The API names bus operators but has no codes for them. The same name always gives the same code. */
function operatorCode(name: string): string {
  const code = name
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return code === "" ? "BUS" : code;
}

function tripOf({ cancellation, ...one }: z.output<typeof trip>) {
  return {
    ...one,
    operator: operatorCode(one.operator_name),
    cancellation: cancellation.map(({ hours_before, charge_percent }) => ({ hours_before, percent: Number(charge_percent) })),
  };
}

type Blocked = QueryResult<Partial<QueryValue<"bus.block">>>;

async function block(session: Session, input: QueryInput<"bus.block">): Promise<Blocked> {
  const { reference, trip_id, boarding_id, dropping_id, mobile, email } = input;
  const passengers = input.passengers.map(({ fare: _, id_type, id_number, ...one }) => ({
    ...one,
    ...(id_type === "" ? {} : { id_type }),
    ...(id_number === "" ? {} : { id_number }),
  }));
  const points = { boarding_id, ...(dropping_id === "" ? {} : { dropping_id }) };
  const body = { request_id: reference, trip_id, ...points, passengers, contact: { mobile, email } };
  const blocked = await read(session.post("/bus/block", body), blockReply);
  if (blocked.kind !== "answered") return resultOf(blocked, () => ({}));
  const { request_id: requestId, block_ref, total } = blocked.value;
  if (requestId !== reference) return { kind: "unavailable", why: "the reply is about another block" };
  const amount = parseMoney(total);
  const listed = input.passengers.map((one) => parseMoney(one.fare));
  if (amount === null || listed.some((fare) => fare === null)) return { kind: "unavailable", why: "the total is no amount" };
  const fares = splitTotal(amount, listed as readonly Money[]);
  return {
    kind: "answered",
    value: {
      provider_ref: block_ref,
      fares: input.passengers.map((one, place) => ({ seat: one.seat, total: formatMoney(fares[place] ?? amount) })),
    },
  };
}
