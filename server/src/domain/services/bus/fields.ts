import { z } from "zod";
import { replyAmount } from "../fields.ts";
import { emailField, mobileField, nameField, recordField, requestIdField } from "../signed/fields.ts";

const MAX_PASSENGERS = 6;

export const seatField = z.string().regex(/^[A-Za-z0-9-]{1,8}$/, "must be a seat such as A1");

const passenger = z.object({
  seat: seatField,
  title: z.string().regex(/^[A-Za-z]{1,10}\.?$/, "must be a title such as Mr or Ms"),
  name: nameField,
  age: z.int("must be a whole number").min(1, "must be 1 to 120").max(120, "must be 1 to 120"),
  gender: z.enum(["M", "F", "O"], "must be M, F or O"),
  id_type: z.string().min(1, "must not be empty").max(30, "is too long").optional(),
  id_number: z
    .string()
    .regex(/^[A-Za-z0-9/ -]{1,40}$/, "must be 1 to 40 letters and digits")
    .optional(),
});

export const blockInput = z.object({
  request_id: requestIdField,
  trip_id: recordField,
  boarding_id: recordField,
  dropping_id: recordField.optional(),
  passengers: z
    .array(passenger)
    .min(1, "must be 1 to 6 passengers")
    .max(MAX_PASSENGERS, "must be 1 to 6 passengers")
    .refine((list) => new Set(list.map((one) => one.seat)).size === list.length, "a seat is named twice"),
  contact: z.object({ mobile: mobileField, email: emailField }),
});
export type BlockInput = z.infer<typeof blockInput>;

/** Seats of a ticket: repeated in a query, a list in a body. They are sorted, so that their order does not matter. */
const someSeats = z
  .array(seatField)
  .min(1, "must name a seat")
  .max(MAX_PASSENGERS, "must be at most six seats")
  .refine((seats) => new Set(seats).size === seats.length, "a seat is named twice")
  .transform((seats) => seats.toSorted());

export const seatsInQuery = z
  .string()
  .transform((text) => text.split(","))
  .pipe(someSeats);
export const seatsInBody = someSeats;

/** The common fields of a reply without an order. */
export const donePart = { ok: z.literal(true), status: z.literal("SUCCESS"), code: z.literal(0) };
export const DONE = { ok: true, status: "SUCCESS", code: 0 } as const;

export const ticketBlock = {
  refund_amount: replyAmount.optional().describe("What cancellations have returned so far; left out while nothing was cancelled"),
  ticket: z.object({
    ticket_no: z.string().describe("Empty until the booking has succeeded"),
    pnr: z.string().describe("The bus operator's own number; empty until the booking has succeeded"),
    seats: z.array(z.string()).describe("Without those that were cancelled"),
    departure_at: z.string(),
    boarding: z.string(),
    boarding_at: z.string(),
    operator_name: z.string(),
    block_ref: z.string(),
    trip_id: z.string(),
    cancelled_seats: z.array(z.string()),
    refund_amount: replyAmount,
  }),
};
