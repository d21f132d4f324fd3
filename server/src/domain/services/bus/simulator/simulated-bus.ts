import { add, percentOf } from "../../../../platform/core/money.ts";
import {
  type Blocked,
  type BlockRequest,
  type BusProviderService,
  type Cancelled,
  type CancelRequest,
  totalOfSeat,
} from "../provider-service.ts";
import { CITIES, cityOf } from "./cities.ts";
import { tripOfId, tripsOn } from "./trips.ts";

/** The simulator's bus queries. They are stateless, because this service stores who holds which seat. */
export function simulatedBus(): BusProviderService {
  return {
    listCities: async () => CITIES,
    listTrips: async ({ from, to, date }) => {
      const [fromCity, toCity] = [cityOf(from), cityOf(to)];
      return fromCity && toCity ? tripsOn(fromCity, toCity, date) : null;
    },
    readTrip: async (tripId) => tripOfId(tripId)?.trip ?? null,
    block: async (request) => block(request),
    cancelQuote: async () => null,
    cancel: async (request) => cancel(request),
    // Only asked after a refusal, and what the simulator refuses it has never cancelled.
    readTicketState: async () => "booked",
    cancelMilliseconds: 1_000,
  };
}

function block(request: BlockRequest): Blocked {
  const found = tripOfId(request.tripId);
  if (!found) return { kind: "unavailable", why: "The trip does not exist." };
  const { trip, line } = found;
  const fares = request.passengers.flatMap(({ seat: wanted }) => {
    const seat = trip.seats.find((one) => one.seat === wanted && one.available);
    if (!seat) return [];
    const listed = totalOfSeat(seat);
    return [{ seat: wanted, total: add(listed, percentOf(listed, line.risesBasisPoints)) }];
  });
  if (fares.length < request.passengers.length) return { kind: "unavailable", why: "A seat was sold in the meantime." };
  return { kind: "blocked", providerRef: `SIM-${request.reference}`, fares };
}

function cancel(request: CancelRequest): Cancelled {
  const refuses = tripOfId(request.tripId)?.line.refusesCancellation ?? true;
  return refuses ? { kind: "refused", why: "The bus operator does not accept cancellations of this trip." } : { kind: "cancelled" };
}
