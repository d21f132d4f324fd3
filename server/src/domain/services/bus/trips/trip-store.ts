import { createHash } from "node:crypto";
import { formatMoney, requireMoney } from "../../../../platform/core/money.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Queryable, Sql } from "../../../../platform/db/connection.ts";
import type { Trip, TripQuery } from "../provider-service.ts";

/** A trip as a provider listed it, with the search that found it: later calls to the provider need both. */
export type ListedTrip = TripQuery & {
  readonly provider: string;
  readonly providerTripId: string;
  readonly trip: Trip;
};

export type TripStore = {
  readonly remember: (trips: readonly ListedTrip[]) => Promise<void>;
  readonly find: (provider: string, tripId: string) => Promise<ListedTrip | null>;
};

/** Our id of a provider's trip: the same search finds the same id, and no two providers share one. */
export function tripIdOf(trip: Omit<ListedTrip, "trip">): string {
  const { provider, providerTripId, from, to, date } = trip;
  return `T${createHash("sha256").update([provider, providerTripId, from, to, date].join("\n")).digest("hex").slice(0, 23)}`;
}

type Row = {
  readonly provider_trip_id: string;
  readonly from_city: string;
  readonly to_city: string;
  readonly day: string;
  readonly trip: JsonObject;
};

export function createTripStore(sql: Sql): TripStore {
  return {
    remember: async (trips) => {
      if (trips.length === 0) return;
      const rows = trips.map((one) => ({
        provider: one.provider,
        trip_id: one.trip.tripId,
        provider_trip_id: one.providerTripId,
        from_city: one.from,
        to_city: one.to,
        day: one.date,
        departure_at: new Date(one.trip.departureAt).toISOString(),
        trip: toStored(one.trip),
      }));
      await sql`
        insert into bus_trips (provider, trip_id, provider_trip_id, from_city, to_city, day, departure_at, trip)
        select provider, trip_id, provider_trip_id, from_city, to_city, day, departure_at, trip
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as n (provider text, trip_id text, provider_trip_id text,
          from_city text, to_city text, day text, departure_at timestamptz, trip jsonb)
        order by provider, trip_id
        on conflict (provider, trip_id) do update set departure_at = excluded.departure_at, trip = excluded.trip
        where bus_trips.trip <> excluded.trip`;
    },
    find: async (provider, tripId) => {
      const [row] = await sql<Row[]>`
        select provider_trip_id, from_city, to_city, day, trip from bus_trips where provider = ${provider} and trip_id = ${tripId}`;
      if (!row) return null;
      const { provider_trip_id: providerTripId, from_city: from, to_city: to, day: date } = row;
      return { provider, providerTripId, from, to, date, trip: fromStored(row.trip as unknown as StoredTrip) };
    },
  };
}

// JSON has no bigint, so money is stored as text.
type StoredTrip = Omit<Trip, "seats" | "listed"> & { readonly availableSeats: number; readonly fares: readonly string[] };

function toStored({ seats: _, listed, ...trip }: Trip): StoredTrip {
  return { ...trip, availableSeats: listed?.availableSeats ?? 0, fares: (listed?.fares ?? []).map(formatMoney) };
}

function fromStored({ availableSeats, fares, ...trip }: StoredTrip): Trip {
  return { ...trip, seats: [], listed: { availableSeats, fares: fares.map(requireMoney) } };
}

// Tickets have what they need in their block, but a cancellation names the trip by the provider's id.
const KEPT_MILLISECONDS = 2 * 24 * 3_600_000;
const SWEEP_ROWS = 5_000;

/** Deletes trips two days after their departure, some at a time. */
export async function sweepTrips(sql: Sql, now: number): Promise<number> {
  const before = new Date(now - KEPT_MILLISECONDS);
  const { count } = await sql`
    delete from bus_trips where (provider, trip_id) in (
      select provider, trip_id from bus_trips where departure_at < ${before} order by departure_at limit ${SWEEP_ROWS})`;
  return count;
}

/** The provider's own id of a trip, as later status queries have it; ours for the simulator's trips. */
export async function providerTripId(sql: Queryable, trip: { readonly provider: string; readonly tripId: string }): Promise<string> {
  const [row] = await sql<{ provider_trip_id: string }[]>`
    select provider_trip_id from bus_trips where provider = ${trip.provider} and trip_id = ${trip.tripId}`;
  return row?.provider_trip_id ?? trip.tripId;
}
