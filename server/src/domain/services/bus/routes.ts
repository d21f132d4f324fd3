import { type ExampleValues, type Route, withExamples } from "../../client-api/route.ts";
import { createBlock } from "./blocks/create-block.ts";
import { createBooking } from "./bookings/create-booking.ts";
import { getBooking } from "./bookings/get-booking.ts";
import { getTicket } from "./bookings/get-ticket.ts";
import { createCancellation } from "./cancellations/create-cancellation.ts";
import { getCancelQuote } from "./cancellations/get-cancel-quote.ts";
import type { BusContext } from "./context.ts";
import { listCities } from "./trips/list-cities.ts";
import { listSeats } from "./trips/list-seats.ts";
import { listTrips } from "./trips/list-trips.ts";

/** A route may use its context only inside its handler. */
export function busRoutes(ctx: BusContext): readonly Route[] {
  return withExamples(
    [
      listCities(ctx),
      listTrips(ctx),
      listSeats(ctx),
      createBlock(ctx),
      createBooking(ctx),
      getBooking(ctx),
      getTicket(ctx),
      getCancelQuote(ctx),
      createCancellation(ctx),
    ],
    EXAMPLES,
  );
}

const ALL: ExampleValues = {
  amount: "1000.0000",
  balance: "9000.0000",
  cancelled_seats: [[]],
  from: "PUN",
  to: "GOA",
};

const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "*": ALL,
  "/bus/cities": { name: "Pune" },
  "/bus/cancel": { cancelled_seats: "A1", refund_amount: "900.0000" },
  "/bus/block": { gender: "F" },
};
