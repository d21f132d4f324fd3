import type { ClaimedRow } from "./store.ts";

/** A claimed callback. */
export type ClaimedCallback = {
  readonly row: ClaimedRow;
  readonly claimId: string;
  readonly claimedAt: number;
  /** Waiting for a slot, being sent, or being recorded. */
  state: "waiting" | "sending" | "answered";
  /** The claim was released: the callback is neither sent nor recorded. */
  isReleased: boolean;
};

/** The claimed callbacks of a process, which decide how many more to claim and when. */
export type Claims = {
  /** Each callback with its delivery, which resolves when its result is recorded. */
  readonly deliveries: Map<ClaimedCallback, Promise<void>>;
  /** Claimed and not answered yet, including the free slots of a claim in progress. */
  unanswered: number;
  /** An answer has arrived since the last claim. */
  hasNewAnswer: boolean;
  /** The last claim used all free slots, so more callbacks are due. */
  isFull: boolean;
  /** How many claims in a row have found nothing. */
  emptyClaims: number;
};

export function createClaims(): Claims {
  return { deliveries: new Map(), unanswered: 0, hasNewAnswer: true, isFull: false, emptyClaims: 0 };
}

// Answered attempts need no slot while they wait to be recorded, but their number is limited too.
const MAX_CLAIM_FACTOR = 4;

/** While answers arrive, twice the slots are claimed ahead, because they will not wait long. */
export function freeSlotsOf(claims: Claims, inFlight: number): number {
  const ahead = (claims.hasNewAnswer ? 2 : 1) * inFlight - claims.unanswered;
  return Math.min(ahead, MAX_CLAIM_FACTOR * inFlight - claims.deliveries.size);
}

/** A large claim costs hardly more than a small one, so when many callbacks are due the next claim waits for enough free slots. */
export function shouldClaim(claims: Claims, inFlight: number): boolean {
  return !claims.isFull || freeSlotsOf(claims, inFlight) >= inFlight;
}

export function claimedIn({ deliveries }: Claims, state: ClaimedCallback["state"]): readonly ClaimedCallback[] {
  return [...deliveries.keys()].filter((claimed) => claimed.state === state);
}

export function countTroubled({ deliveries }: Claims): number {
  let count = 0;
  for (const claimed of deliveries.keys()) if (claimed.row.troubled && claimed.state !== "answered") count++;
  return count;
}
