import { invalidFields, type Refusal, refused } from "../../shared/refusals.ts";
import type { BlockInput } from "./fields.ts";
import type { Passenger, Seat, Trip } from "./provider-service.ts";

const SUITS: Record<Seat["gender"], readonly Passenger["gender"][]> = { any: ["M", "F", "O"], male: ["M"], female: ["F"] };

/** Checks a block against the trip. Whether the seats are taken is decided when they are claimed. */
export function refuseBlock(trip: Trip, asked: BlockInput): Refusal | null {
  const wrong = wrongPoints(trip, asked);
  if (Object.keys(wrong).length > 0) return invalidFields(wrong);
  if (asked.passengers.length > trip.maxSeats)
    return refused("max_seats_exceeded", `At most ${trip.maxSeats} seats of this trip can be taken at once.`);
  for (const passenger of asked.passengers) {
    const seat = trip.seats.find((one) => one.seat === passenger.seat);
    if (!seat?.available) return seatUnavailable([passenger.seat]);
    if (!SUITS[seat.gender].includes(passenger.gender))
      return refused("seat_gender_restricted", `Seat ${seat.seat} is for ${seat.gender} passengers only.`);
  }
  const unproved = asked.passengers.find((one) => one.id_type === undefined || one.id_number === undefined);
  if (trip.idProofRequired && unproved)
    return refused("id_proof_required", `This trip needs id_type and id_number of every passenger; seat ${unproved.seat} has none.`);
  return null;
}

export function seatUnavailable(seats: readonly string[]): Refusal {
  const what = seats.length === 1 ? `Seat ${seats[0]} is` : `Seats ${seats.join(", ")} are`;
  return refused("seat_unavailable", `${what} not available.`);
}

function wrongPoints(trip: Trip, asked: BlockInput): Readonly<Record<string, string>> {
  const boards = trip.boarding.some((one) => one.id === asked.boarding_id);
  const drops = asked.dropping_id === undefined || trip.dropping.some((one) => one.id === asked.dropping_id);
  return {
    ...(boards ? {} : { boarding_id: "is not a boarding point of this trip" }),
    ...(drops ? {} : { dropping_id: "is not a dropping point of this trip" }),
  };
}
