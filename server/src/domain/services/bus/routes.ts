import { type Route, withExamples } from "../../client-api/route.ts";
import type { BusContext } from "./context.ts";
import { createBlock } from "./create-block.ts";
import { createBooking } from "./create-booking.ts";
import { createCancellation } from "./create-cancellation.ts";
import { EXAMPLES } from "./examples.ts";
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
