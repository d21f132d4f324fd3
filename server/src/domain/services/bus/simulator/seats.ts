import { type Money, percentOf } from "../../../../platform/core/money.ts";
import { stableHash } from "../../../providers/routing/stable-hash.ts";
import type { Seat } from "../provider-service.ts";
import type { Line } from "./timetable.ts";

type Place = Pick<Seat, "seat" | "row" | "column" | "deck" | "type">;

const SEATER_ROWS = "ABCDEFGHIJ";
const SEATER_COLUMNS = [1, 2, 3, 4] as const;
const SLEEPER_ROWS = [1, 2, 3, 4, 5, 6] as const;
const SLEEPER_COLUMNS = [1, 2, 3] as const;
// Percent of all seats.
const SOLD = 25;
const FOR_WOMEN = 10;
const FOR_MEN = 5;

/** The seats of a trip, including those sold elsewhere. Everything follows from the trip's id. */
export function seatsOf(tripId: string, line: Line, usualFare: Money): readonly Seat[] {
  return placesOf(line.layout).map((place) => {
    const drawn = stableHash(`${tripId}/${place.seat}`);
    const base = baseOf(usualFare, line, place);
    return {
      ...place,
      gender: genderOf(Math.floor(drawn / 100) % 100),
      available: drawn % 100 >= SOLD,
      base,
      tax: percentOf(base, line.taxBasisPoints),
    };
  });
}

function placesOf(layout: Line["layout"]): readonly Place[] {
  if (layout === "seater")
    return [...SEATER_ROWS].flatMap((letter, at) =>
      SEATER_COLUMNS.map((column): Place => ({ seat: `${letter}${column}`, row: at + 1, column, deck: "lower", type: "seater" })),
    );
  return (["lower", "upper"] as const).flatMap((deck) =>
    SLEEPER_ROWS.flatMap((row) =>
      SLEEPER_COLUMNS.map((column): Place => {
        const number = (row - 1) * SLEEPER_COLUMNS.length + column;
        return { seat: `${deck === "lower" ? "L" : "U"}${number}`, row, column, deck, type: "sleeper" };
      }),
    ),
  );
}

function genderOf(drawn: number): Seat["gender"] {
  if (drawn < FOR_WOMEN) return "female";
  return drawn < FOR_WOMEN + FOR_MEN ? "male" : "any";
}

const UPPER_DECK_PERCENT = 90n;

function baseOf(usualFare: Money, line: Line, place: Place): Money {
  const share = line.farePercent * (place.deck === "upper" ? UPPER_DECK_PERCENT : 100n);
  return percentOf(usualFare, share);
}
