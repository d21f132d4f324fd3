import { z } from "zod";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney, type Money } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { replyAmount } from "../fields.ts";
import { type Point, type PolicyStep, type Seat, type Trip, totalOfSeat } from "./provider-service.ts";

const point = z.object({ id: z.string(), name: z.string(), at: z.string() });

export const tripItem = z.object({
  trip_id: z.string(),
  operator_name: z.string(),
  bus_type: z.string(),
  departure_at: z.string(),
  arrival_at: z.string(),
  available_seats: z.int(),
  fares: z.array(replyAmount).describe("What a free seat costs, the cheapest first"),
  boarding: z.array(point),
  dropping: z.array(point),
  id_proof_required: z.boolean(),
  max_seats: z.int(),
  partial_cancel: z.boolean(),
  cancellation: z.array(z.object({ hours_before: z.int(), charge_percent: z.string() })),
});

export const seatItem = z.object({
  seat: z.string(),
  row: z.int(),
  column: z.int(),
  deck: z.enum(["lower", "upper"]),
  type: z.enum(["seater", "sleeper"]),
  available: z.boolean(),
  gender: z.enum(["any", "male", "female"]),
  fare: z.object({ base: replyAmount, tax: replyAmount, total: replyAmount }),
});

/** `taken` are the seats that other blocks and bookings hold here. */
export function tripFields(trip: Trip, taken: ReadonlySet<string>): JsonObject {
  const free = trip.seats.filter((seat) => seat.available && !taken.has(seat.seat));
  return {
    trip_id: trip.tripId,
    operator_name: trip.operatorName,
    bus_type: trip.busType,
    departure_at: indiaDateTime(trip.departureAt),
    arrival_at: indiaDateTime(trip.arrivalAt),
    available_seats: trip.listed ? Math.max(0, trip.listed.availableSeats - taken.size) : free.length,
    fares: (trip.listed ? sorted(trip.listed.fares) : faresOf(free)).map(formatMoney),
    boarding: trip.boarding.map(pointFields),
    dropping: trip.dropping.map(pointFields),
    id_proof_required: trip.idProofRequired,
    max_seats: trip.maxSeats,
    partial_cancel: trip.partialCancel,
    cancellation: trip.cancellation.map(stepFields),
  };
}

function faresOf(seats: readonly Seat[]): readonly Money[] {
  return sorted(seats.map(totalOfSeat));
}

function sorted(fares: readonly Money[]): readonly Money[] {
  return [...new Set(fares)].sort((a, b) => (a < b ? -1 : 1));
}

function pointFields(one: Point): JsonObject {
  return { id: one.id, name: one.name, at: indiaDateTime(one.at) };
}

function stepFields(step: PolicyStep): JsonObject {
  const { basisPoints } = step;
  return {
    hours_before: step.hoursBefore,
    charge_percent: `${Math.floor(basisPoints / 100)}.${(basisPoints % 100).toString().padStart(2, "0")}`,
  };
}

export function seatFields(seat: Seat, taken: ReadonlySet<string>): JsonObject {
  return {
    seat: seat.seat,
    row: seat.row,
    column: seat.column,
    deck: seat.deck,
    type: seat.type,
    available: seat.available && !taken.has(seat.seat),
    gender: seat.gender,
    fare: { base: formatMoney(seat.base), tax: formatMoney(seat.tax), total: formatMoney(totalOfSeat(seat)) },
  };
}
