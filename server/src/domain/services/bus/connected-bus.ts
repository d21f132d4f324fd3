import type { QueryInput, QueryValue } from "@corprail/connector";
import { requireMoney } from "../../../platform/core/money.ts";
import { convertedOnce, type ProviderLists } from "../signed/provider-lists.ts";
import type { ProviderQueries } from "../signed/provider-queries.ts";
import type { BlockRequest, BusProviderService, CancelRequest, City, Seat, TicketState, Trip, TripQuery } from "./provider-service.ts";
import { type ListedTrip, type TripStore, tripIdOf } from "./trips/trip-store.ts";

type ProviderTrip = QueryValue<"bus.trips">["trips"][number];
type ProviderSeat = QueryValue<"bus.seats">["seats"][number];

/** The bus queries of a real provider. Its trips are remembered, because later calls name a trip by its id alone. */
export function connectedBus(queries: ProviderQueries, lists: ProviderLists, trips: TripStore): BusProviderService {
  const { provider } = queries;
  return {
    listCities: async () => await toCities((await lists(queries, "bus.cities", {})).cities),
    listTrips: async (wanted) => {
      const { cities } = await lists(queries, "bus.cities", {});
      if (![wanted.from, wanted.to].every((id) => cities.some((city) => city.city_id === id))) return null;
      const { from, to, date } = wanted;
      const { trips: listed } = await queries.read("bus.trips", { from, to, date });
      const found = listed.map((trip) => listedTrip(provider, wanted, trip));
      await trips.remember(found);
      return found.map(({ trip }) => trip);
    },
    readTrip: async (tripId) => {
      const known = await trips.find(provider, tripId);
      if (!known) return null;
      const asked = await queries.ask("bus.seats", { trip_id: known.providerTripId, ...searchOf(known) });
      if (asked.kind === "refused") return null;
      const { seats, boarding, dropping } = asked.value;
      return { ...known.trip, seats: toSeats(seats), ...(boarding ? { boarding } : {}), ...(dropping ? { dropping } : {}) };
    },
    block: async (request) => {
      const known = await trips.find(provider, request.tripId);
      if (!known) return { kind: "unavailable", why: "the trip is no longer listed" };
      const asked = await queries.ask("bus.block", blockInput(request, known));
      if (asked.kind === "refused") return { kind: "unavailable", why: asked.reason };
      const { provider_ref: providerRef, fares } = asked.value;
      return { kind: "blocked", providerRef, fares: faresOf(request, fares) };
    },
    cancelQuote: async (request) => {
      if (!queries.has("bus.cancel_quote")) return null;
      const asked = await queries.ask("bus.cancel_quote", await ticketInput(trips, provider, request));
      if (asked.kind === "refused") return { kind: "refused", why: asked.reason };
      const { refund, charges } = asked.value;
      return { kind: "quoted", refund: requireMoney(refund), charges: requireMoney(charges) };
    },
    cancel: async (request) => {
      const ticket = await ticketInput(trips, provider, request);
      // After a missing answer the seats may be cancelled already, and a second cancellation would be refused.
      if ((await ticketState(queries, ticket)) === "cancelled") return { kind: "cancelled" };
      const asked = await queries.ask("bus.cancel", { ...ticket, cancel_reference: request.reference });
      if (asked.kind === "refused") return { kind: "refused", why: asked.reason };
      const { refund } = asked.value;
      return { kind: "cancelled", ...(refund === undefined ? {} : { refund: requireMoney(refund) }) };
    },
    readTicketState: async (request) => await ticketState(queries, await ticketInput(trips, provider, request)),
    cancelMilliseconds: 2 * queries.limitMilliseconds("bus.ticket") + queries.limitMilliseconds("bus.cancel"),
  };
}

const toCities = convertedOnce(toCity);

function toCity({ city_id: cityId, name, state }: QueryValue<"bus.cities">["cities"][number]): City {
  return { cityId, name, state };
}

function listedTrip(provider: string, { from, to, date }: TripQuery, trip: ProviderTrip): ListedTrip {
  const tripId = tripIdOf({ provider, providerTripId: trip.trip_id, from, to, date });
  return { provider, providerTripId: trip.trip_id, from, to, date, trip: toTrip(tripId, trip) };
}

function toTrip(tripId: string, trip: ProviderTrip): Trip {
  return {
    tripId,
    operator: trip.operator,
    operatorName: trip.operator_name,
    busType: trip.bus_type,
    departureAt: trip.departure_at,
    arrivalAt: trip.arrival_at,
    boarding: trip.boarding,
    dropping: trip.dropping,
    idProofRequired: trip.id_proof_required,
    maxSeats: trip.max_seats,
    partialCancel: trip.partial_cancel,
    cancellation: trip.cancellation.map(({ hours_before: hoursBefore, percent }) => ({
      hoursBefore,
      basisPoints: Math.round(percent * 100),
    })),
    seats: [],
    listed: { availableSeats: trip.available_seats ?? 0, fares: trip.fares.map(requireMoney) },
  };
}

/** A seat that the provider names twice is listed once and cannot be booked: nobody knows which of the two a booking would get. */
function toSeats(listed: readonly ProviderSeat[]): readonly Seat[] {
  const seats = new Map<string, Seat>();
  for (const one of listed) seats.set(one.seat, { ...toSeat(one), ...(seats.has(one.seat) ? { available: false } : {}) });
  return [...seats.values()];
}

function toSeat({ base, tax, ...seat }: ProviderSeat): Seat {
  return { ...seat, base: requireMoney(base), tax: requireMoney(tax) };
}

function searchOf({ from, to, date }: ListedTrip): TripQuery {
  return { from, to, date };
}

function blockInput(request: BlockRequest, known: ListedTrip): QueryInput<"bus.block"> {
  return {
    reference: request.reference,
    trip_id: known.providerTripId,
    ...searchOf(known),
    boarding_id: request.boardingId,
    dropping_id: request.droppingId ?? "",
    mobile: request.contact.mobile,
    email: request.contact.email,
    passengers: request.passengers.map((one) => ({
      ...{ seat: one.seat, title: one.title, name: one.name, age: one.age, gender: one.gender },
      id_type: one.id_type ?? "",
      id_number: one.id_number ?? "",
      fare: request.fares.find((fare) => fare.seat === one.seat)?.total ?? "0",
    })),
  };
}

/** A provider that says no fares has blocked the seats for the listed ones. */
function faresOf(request: BlockRequest, fares: QueryValue<"bus.block">["fares"]) {
  return (fares ?? request.fares).map(({ seat, total }) => ({ seat, total: requireMoney(total) }));
}

type TicketInput = QueryInput<"bus.ticket">;

async function ticketInput(trips: TripStore, provider: string, request: CancelRequest): Promise<TicketInput> {
  const known = await trips.find(provider, request.tripId);
  return {
    reference: request.orderId,
    provider_ref: request.providerRef,
    ...(request.ticketRef === null ? {} : { ticket_ref: request.ticketRef }),
    pnr: request.pnr,
    trip_id: known?.providerTripId ?? request.tripId,
    seats: [...request.seats],
  };
}

async function ticketState(queries: ProviderQueries, ticket: TicketInput): Promise<TicketState> {
  if (!queries.has("bus.ticket")) return "unknown";
  const found = await queries.ask("bus.ticket", ticket);
  if (found.kind === "refused") return "unknown";
  const { status, cancelled_seats: cancelled } = found.value;
  if (status === "cancelled") return "cancelled";
  // A ticket of which some seats are cancelled may still be called booked.
  if (cancelled === undefined) return "unknown";
  if (ticket.seats.every((seat) => cancelled.includes(seat))) return "cancelled";
  return status === "booked" && !ticket.seats.some((seat) => cancelled.includes(seat)) ? "booked" : "unknown";
}
