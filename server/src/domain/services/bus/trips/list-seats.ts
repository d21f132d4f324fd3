import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { recordField } from "../../signed/fields.ts";
import { findTrip } from "../ask-provider.ts";
import { takenSeats } from "../blocks/taken-seats.ts";
import { type BusContext, SERVICE } from "../context.ts";
import { DONE, donePart } from "../fields.ts";
import { seatFields, seatItem } from "../views.ts";

export function listSeats(ctx: BusContext): Route {
  return route({
    method: "GET",
    path: "/bus/seats",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the seats of a trip; a reserved seat is not available",
    input: z.object({ trip_id: recordField }),
    reply: z.object({ ...donePart, trip_id: z.string(), seats: z.array(seatItem) }),
    refusals: ["trip_not_found"],
    handle: async ({ account, input }) => {
      const found = await findTrip(ctx, account, input.trip_id);
      if (found.kind === "refused") return found;
      const taken = await takenSeats(ctx, found.provider, [found.trip.tripId]);
      const ofTrip = taken.get(found.trip.tripId) ?? new Set();
      const seats = found.trip.seats.map((seat) => seatFields(seat, ofTrip));
      return { kind: "record", fields: { ...DONE, trip_id: found.trip.tripId, seats } };
    },
  });
}
