import type { ClaimedRow } from "./store.ts";

/** What was claimed. */
export type Flight = {
  readonly row: ClaimedRow;
  readonly claimId: string;
  readonly claimedAt: number;
  /** It waits for its place, is being sent, or is being recorded. */
  state: "waiting" | "sending" | "answered";
  /** It is given back: not sent any more, nor recorded. */
  isReleased: boolean;
};

/** What a process has under way, and what that says about how much to claim and when. */
export type Traffic = {
  readonly flights: Map<Flight, Promise<void>>;
  /** Claimed and not answered yet; what a claim under way has freeSlots for counts as claimed. */
  unanswered: number;
  /** An answer came since the last claim. */
  isFlowing: boolean;
  /** The last claim took all that it had freeSlots for, so there is more. */
  isFull: boolean;
};

export function createTraffic(): Traffic {
  return { flights: new Map(), unanswered: 0, isFlowing: true, isFull: false };
}

// What waits to be recorded needs no place, but it is not to pile up either.
const MOST_TIMES = 4;

/** While answers come in, as many again as may be in flight are claimed ahead: they will not wait long for their places. */
export function roomOf(traffic: Traffic, inFlight: number): number {
  const ahead = (traffic.isFlowing ? 2 : 1) * inFlight - traffic.unanswered;
  return Math.min(ahead, MOST_TIMES * inFlight - traffic.flights.size);
}

/** A claim of many costs hardly more than one of a few: where there is more than there is freeSlots for, it can wait for freeSlots. */
export function isWorthAClaim(traffic: Traffic, inFlight: number): boolean {
  return !traffic.isFull || roomOf(traffic, inFlight) >= inFlight;
}

export function flightsThat({ flights }: Traffic, state: Flight["state"]): readonly Flight[] {
  return [...flights.keys()].filter((flight) => flight.state === state);
}

export function troubledIn({ flights }: Traffic): number {
  let count = 0;
  for (const flight of flights.keys()) if (flight.row.troubled && flight.state !== "answered") count++;
  return count;
}
