import { add, type Money } from "../../../platform/core/money.ts";

/** A provider's queries for this service. They may be slow or throw, so none is made inside a transaction. */
export type BusProviderService = {
  readonly listCities: () => Promise<readonly City[]>;
  /** Null when the provider does not know a city. */
  readonly listTrips: (wanted: TripQuery) => Promise<readonly Trip[] | null>;
  readonly readTrip: (tripId: string) => Promise<Trip | null>;
  /** Blocks seats under our reference. The same reference always gets the same answer. */
  readonly block: (request: BlockRequest) => Promise<Blocked>;
  /** What a cancellation would return now. Null when the provider does not say, so that the trip's own charges apply. */
  readonly cancelQuote: (request: CancelRequest) => Promise<CancelQuote | null>;
  /** Cancels seats under our reference. The same reference always gets the same answer. */
  readonly cancel: (request: CancelRequest) => Promise<Cancelled>;
  /** Whether the seats of a ticket are cancelled at the provider. */
  readonly readTicketState: (request: CancelRequest) => Promise<TicketState>;
  /** The longest that `cancel` and `readTicketState` take together. */
  readonly cancelMilliseconds: number;
};

/** Of the seats that were asked about: all are booked, all are cancelled, or the provider cannot say so. */
export type TicketState = "booked" | "cancelled" | "unknown";

export type City = { readonly cityId: string; readonly name: string; readonly state: string };

export type TripQuery = {
  readonly from: string;
  readonly to: string;
  /** The day of departure in India, `YYYY-MM-DD`. */
  readonly date: string;
};

export type Trip = {
  readonly tripId: string;
  /** Our code of the bus operator. */
  readonly operator: string;
  readonly operatorName: string;
  readonly busType: string;
  /** Milliseconds since 1970. */
  readonly departureAt: number;
  readonly arrivalAt: number;
  readonly boarding: readonly Point[];
  readonly dropping: readonly Point[];
  readonly idProofRequired: boolean;
  readonly maxSeats: number;
  readonly partialCancel: boolean;
  readonly cancellation: Policy;
  /** Empty in a provider's list of trips that has no seats; `listed` then says what there is. */
  readonly seats: readonly Seat[];
  readonly listed?: { readonly availableSeats: number; readonly fares: readonly Money[] };
};

export type Point = { readonly id: string; readonly name: string; readonly at: number };

/** Cancellation charges, the earliest step first. A step applies while at least that many hours are left. */
export type Policy = readonly PolicyStep[];
export type PolicyStep = { readonly hoursBefore: number; readonly basisPoints: number };

export type Seat = {
  readonly seat: string;
  readonly row: number;
  readonly column: number;
  readonly deck: "lower" | "upper";
  readonly type: "seater" | "sleeper";
  readonly gender: "any" | "male" | "female";
  readonly available: boolean;
  readonly base: Money;
  readonly tax: Money;
};

export type Passenger = {
  readonly seat: string;
  readonly title: string;
  readonly name: string;
  readonly age: number;
  readonly gender: "M" | "F" | "O";
  readonly id_type?: string | undefined;
  readonly id_number?: string | undefined;
};

export type BlockRequest = {
  readonly reference: string;
  readonly tripId: string;
  readonly boardingId: string;
  readonly droppingId: string | null;
  readonly passengers: readonly Passenger[];
  /** The listed fare of each seat, as a decimal. */
  readonly fares: readonly { readonly seat: string; readonly total: string }[];
  readonly contact: { readonly mobile: string; readonly email: string };
};

export type Blocked =
  /** The current fares, which may differ from the listed ones. */
  | { readonly kind: "blocked"; readonly providerRef: string; readonly fares: readonly { readonly seat: string; readonly total: Money }[] }
  | { readonly kind: "unavailable"; readonly why: string };

export type CancelRequest = {
  readonly reference: string;
  readonly orderId: string;
  readonly tripId: string;
  /** The provider's own id of the block that became the ticket. */
  readonly providerRef: string;
  /** The provider's own id of the booking; null if its answers had none. */
  readonly ticketRef: string | null;
  readonly pnr: string;
  readonly seats: readonly string[];
};

/** Only an explicit refusal counts; a missing answer is retried. `refund` is what the provider returns to us. */
export type Cancelled = { readonly kind: "cancelled"; readonly refund?: Money } | { readonly kind: "refused"; readonly why: string };

export type CancelQuote =
  | { readonly kind: "quoted"; readonly refund: Money; readonly charges: Money }
  | { readonly kind: "refused"; readonly why: string };

export function totalOfSeat(seat: Pick<Seat, "base" | "tax">): Money {
  return add(seat.base, seat.tax);
}
