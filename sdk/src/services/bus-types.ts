import type { ExactlyOne, Open, SignedExtra } from "./shared.js";

export type City = { readonly cityId: string; readonly name: string; readonly state: string };

export type Stop = { readonly id: string; readonly name: string; readonly at: string };

export type Trip = {
  readonly tripId: string;
  readonly operatorName: string;
  readonly busType: string;
  readonly departureAt: string;
  readonly arrivalAt: string;
  readonly availableSeats: number;
  readonly fares: readonly string[];
  readonly boarding: readonly Stop[];
  readonly dropping: readonly Stop[];
  readonly idProofRequired: boolean;
  readonly maxSeats: number;
  readonly partialCancel: boolean;
  /** What cancelling costs, in percent, up to so many hours before the departure. */
  readonly cancellation: readonly { readonly hoursBefore: number; readonly chargePercent: string }[];
};

export type Seat = {
  readonly seat: string;
  readonly row: number;
  readonly column: number;
  readonly deck: Open<"lower" | "upper">;
  readonly type: Open<"seater" | "sleeper">;
  readonly available: boolean;
  readonly gender: Open<"any" | "male" | "female">;
  readonly fare: { readonly base: string; readonly tax: string; readonly total: string };
};

export type Passenger = {
  readonly seat: string;
  readonly title: string;
  readonly name: string;
  readonly age: number;
  readonly gender: "M" | "F" | "O";
  readonly idType?: string | undefined;
  readonly idNumber?: string | undefined;
};

export type BlockInput = {
  readonly requestId: string;
  readonly tripId: string;
  readonly boardingId: string;
  readonly droppingId?: string | undefined;
  /** 1 to 6. */
  readonly passengers: readonly Passenger[];
  readonly contact: { readonly mobile: string; readonly email: string };
};

export type Block = {
  readonly blockRef: string;
  readonly total: string;
  readonly fareChanged: boolean;
  /** Unix seconds: the seats are held for 8 minutes. */
  readonly validUntil: number;
};

export type BookInput = {
  readonly requestId: string;
  readonly blockRef: string;
  /** The block's `total`; another amount is refused with `fare_changed`. */
  readonly amount: string;
};

export type BookingReference = ExactlyOne<"requestId" | "blockRef">;
export type TicketReference = ExactlyOne<"ticketNo" | "orderId">;

export type BusExtra = SignedExtra & {
  readonly ticket: {
    /** Empty, like `pnr`, until the ticket is issued. */
    readonly ticketNo: string;
    readonly pnr: string;
    /** The seats that are not cancelled. */
    readonly seats: readonly string[];
    readonly departureAt: string;
    readonly boarding: string;
    readonly boardingAt: string;
    readonly operatorName: string;
    readonly blockRef: string;
    readonly tripId: string;
    readonly cancelledSeats: readonly string[];
    /** What cancellations have returned to the wallet; less than was paid, because charges apply. */
    readonly refundAmount: string;
  };
};

export type CancelQuoteInput = { readonly ticketNo: string; readonly seats: readonly string[] };

export type CancelQuote = {
  readonly ticketNo: string;
  readonly seats: readonly string[];
  readonly quoteRef: string;
  readonly refundAmount: string;
  readonly charges: string;
  readonly validUntil: number;
};

export type CancelInput = CancelQuoteInput & { readonly requestId: string; readonly quoteRef: string };

export type Cancellation = {
  readonly cancelId: string;
  readonly refundAmount: string;
  readonly cancelledSeats: readonly string[];
  readonly orderId: string;
};
