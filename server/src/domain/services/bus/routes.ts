import { type ExampleValues, type Route, withExamples } from "../../client-api/route.ts";
import type { BusContext } from "./context.ts";
import { createBlock } from "./create-block.ts";
import { createBooking } from "./create-booking.ts";
import { createCancellation } from "./create-cancellation.ts";
import { getBooking } from "./get-booking.ts";
import { getCancelQuote } from "./get-cancel-quote.ts";
import { getTicket } from "./get-ticket.ts";
import { listCities } from "./list-cities.ts";
import { listSeats } from "./list-seats.ts";
import { listTrips } from "./list-trips.ts";

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
