import { indiaMidnight } from "../../../../platform/core/india-time.ts";
import { type Money, moneyOf } from "../../../../platform/core/money.ts";
import { stableHash } from "../../../providers/routing/stable-hash.ts";
import type { Trip } from "../provider-service.ts";
import { cityOf, type SimulatedCity } from "./cities.ts";
import { seatsOf } from "./seats.ts";
import { type Line, TIMETABLE } from "./timetable.ts";

const MINUTE_MILLISECONDS = 60_000;
const RUPEE = 10_000n;
const TRIP_ID = /^([A-Z]{3})-([A-Z]{3})-([0-9]{4})([0-9]{2})([0-9]{2})-([1-9])$/;

/** The trips of a day between two cities. Everything about a trip follows from its id. */
export function tripsOn(from: SimulatedCity, to: SimulatedCity, date: string): readonly Trip[] {
  const midnight = indiaMidnight(date);
  if (midnight === null || from.cityId === to.cityId) return [];
  return TIMETABLE.map((line) => tripOf(line, from, to, date, midnight));
}

export function tripOfId(tripId: string): { readonly trip: Trip; readonly line: Line } | null {
  const [, from = "", to = "", year = "", month = "", day = "", number = ""] = TRIP_ID.exec(tripId) ?? [];
  const [fromCity, toCity] = [cityOf(from), cityOf(to)];
  const line = TIMETABLE.find((one) => one.number === Number(number));
  const date = `${year}-${month}-${day}`;
  const midnight = indiaMidnight(date);
  if (!fromCity || !toCity || from === to || !line || midnight === null) return null;
  return { trip: tripOf(line, fromCity, toCity, date, midnight), line };
}

function tripOf(line: Line, from: SimulatedCity, to: SimulatedCity, date: string, midnight: number): Trip {
  const tripId = `${from.cityId}-${to.cityId}-${date.replaceAll("-", "")}-${line.number}`;
  const departureAt = midnight + line.departs * MINUTE_MILLISECONDS;
  const arrivalAt = departureAt + hoursBetween(from, to) * 60 * MINUTE_MILLISECONDS;
  return {
    tripId,
    operator: line.operator,
    operatorName: line.operatorName,
    busType: line.busType,
    departureAt,
    arrivalAt,
    boarding: from.stops.map((name, at) => ({ id: `B${at + 1}`, name, at: departureAt + at * 30 * MINUTE_MILLISECONDS })),
    dropping: to.stops.map((name, at) => ({ id: `D${at + 1}`, name, at: arrivalAt - (1 - at) * 20 * MINUTE_MILLISECONDS })),
    idProofRequired: line.idProofRequired,
    maxSeats: line.maxSeats,
    partialCancel: line.partialCancel,
    cancellation: line.cancellation,
    seats: seatsOf(tripId, line, usualFare(from, to)),
  };
}

// The distance is the same in both directions.
function between(from: SimulatedCity, to: SimulatedCity): number {
  return stableHash([from.cityId, to.cityId].sort().join("/"));
}

function hoursBetween(from: SimulatedCity, to: SimulatedCity): number {
  return 5 + (between(from, to) % 10);
}

function usualFare(from: SimulatedCity, to: SimulatedCity): Money {
  return moneyOf(BigInt(hoursBetween(from, to) * 45 + (between(from, to) % 40)) * RUPEE);
}
