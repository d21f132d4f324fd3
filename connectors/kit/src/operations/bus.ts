import { z } from "zod";
import { amount, id, query, text, time } from "./fields.ts";

/** What a booking may add to the ticket. */
export const busResult = z.object({ ticket_ref: z.string().optional() });

const point = z.object({ id, name: text, at: time });

const trip = z.object({
  trip_id: id,
  operator: id,
  operator_name: text,
  bus_type: text,
  departure_at: time,
  arrival_at: time,
  available_seats: z.int().nonnegative().optional(),
  fares: z.array(amount).default([]),
  boarding: z.array(point),
  dropping: z.array(point).default([]),
  id_proof_required: z.boolean().default(false),
  max_seats: z.int().min(1).default(6),
  partial_cancel: z.boolean().default(false),
  /** The earliest step first: while at least that many hours are left, the charge is that percentage of the fare. */
  cancellation: z.array(z.object({ hours_before: z.number().nonnegative(), percent: z.number().min(0).max(100) })).default([]),
});

const seat = z.object({
  seat: id,
  row: z.int(),
  column: z.int(),
  deck: z.enum(["lower", "upper"]).default("lower"),
  type: z.enum(["seater", "sleeper"]).default("seater"),
  gender: z.enum(["any", "male", "female"]).default("any"),
  available: z.boolean(),
  base: amount,
  tax: amount.default("0"),
});

const passenger = z.object({
  seat: id,
  title: text,
  name: text,
  age: z.int(),
  gender: z.enum(["M", "F", "O"]),
  id_type: z.string().default(""),
  id_number: z.string().default(""),
  fare: amount,
});

const ticket = z.object({
  reference: id,
  /** The provider's own id of the block that became the ticket. */
  provider_ref: z.string(),
  /** The provider's own id of the booking, if its answers had one. */
  ticket_ref: z.string().optional(),
  pnr: z.string(),
  trip_id: id,
  seats: z.array(id),
});

export const busQueries = {
  "bus.cities": query({
    input: z.object({}),
    value: z.object({ cities: z.array(z.object({ city_id: id, name: text, state: text.default("") })) }),
  }),
  /** `date` is the day of departure in India, YYYY-MM-DD. */
  "bus.trips": query({ input: z.object({ from: id, to: id, date: id }), value: z.object({ trips: z.array(trip) }) }),
  /** The seats of a trip, and what the list of trips did not say about it. */
  "bus.seats": query({
    input: z.object({ trip_id: id, from: id, to: id, date: id }),
    value: z.object({ seats: z.array(seat), boarding: z.array(point).optional(), dropping: z.array(point).optional() }),
  }),
  "bus.block": query({
    input: z.object({
      reference: id,
      trip_id: id,
      from: id,
      to: id,
      date: id,
      boarding_id: id,
      dropping_id: z.string(),
      passengers: z.array(passenger),
      mobile: id,
      email: id,
    }),
    /** `fares` names every blocked seat once and no other. Absent: the listed fares apply. */
    value: z.object({ provider_ref: id, fares: z.array(z.object({ seat: id, total: amount })).optional() }),
  }),
  "bus.ticket": query({
    input: ticket,
    value: z.object({
      status: z.enum(["booked", "cancelled", "not_booked"]),
      pnr: z.string().default(""),
      /** Absent: the provider does not say which seats are cancelled. */
      cancelled_seats: z.array(id).optional(),
    }),
  }),
  /** What a cancellation would give back. Without it the trip's own charges apply. */
  "bus.cancel_quote": query({ input: ticket, value: z.object({ refund: amount, charges: amount }) }),
  /** Cancels seats. It may be asked again with the same reference after a missing answer. */
  "bus.cancel": query({
    input: ticket.extend({ cancel_reference: id }),
    value: z.object({ refund: amount.optional(), charges: amount.optional() }),
  }),
} as const;
