import type { ClaimedRow } from "./store.ts";

/** A claimed callback. */
export type Flight = {
  readonly row: ClaimedRow;
  readonly claimId: string;
  readonly claimedAt: number;
  /** Waiting for a slot, being sent, or being recorded. */
  state: "waiting" | "sending" | "answered";
  /** The claim was released: the callback is neither sent nor recorded. */
  isReleased: boolean;
};

/** The claimed callbacks of a process, which decide how many more to claim and when. */
export type Traffic = {
  readonly flights: Map<Flight, Promise<void>>;
  /** Claimed and not answered yet, including the free slots of a claim in progress. */
  unanswered: number;
  /** An answer has arrived since the last claim. */
  isFlowing: boolean;
  /** The last claim used all free slots, so more callbacks are due. */
  isFull: boolean;
  /** How many claims in a row have found nothing. */
  emptyClaims: number;
};

export function createTraffic(): Traffic {
  return { flights: new Map(), unanswered: 0, isFlowing: true, isFull: false, emptyClaims: 0 };
}

// Answered attempts need no slot while they wait to be recorded, but their number is limited too.
const MAX_CLAIM_FACTOR = 4;

/** While answers arrive, twice the slots are claimed ahead, because they will not wait long. */
export function freeSlotsOf(traffic: Traffic, inFlight: number): number {
  const ahead = (traffic.isFlowing ? 2 : 1) * inFlight - traffic.unanswered;
  return Math.min(ahead, MAX_CLAIM_FACTOR * inFlight - traffic.flights.size);
}

/** A large claim costs hardly more than a small one, so when many callbacks are due the next claim waits for enough free slots. */
export function shouldClaim(traffic: Traffic, inFlight: number): boolean {
  return !traffic.isFull || freeSlotsOf(traffic, inFlight) >= inFlight;
}

export function flightsIn({ flights }: Traffic, state: Flight["state"]): readonly Flight[] {
  return [...flights.keys()].filter((flight) => flight.state === state);
}

export function countTroubled({ flights }: Traffic): number {
  let count = 0;
  for (const flight of flights.keys()) if (flight.row.troubled && flight.state !== "answered") count++;
  return count;
}
