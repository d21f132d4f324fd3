import type { Outcome } from "./connector.ts";

/** Keeps orders away from a provider that does not answer, for one operator. A value; nothing here has a clock. */
export type Breaker =
  | { readonly state: "closed"; readonly failures: number }
  /** Nobody goes there until then; afterwards one order tries. */
  | (Rest & { readonly state: "open" })
  /** One order is trying; if nothing is heard of it by then, another may. */
  | (Rest & { readonly state: "half_open" });

/** Silences in a row, when the first of them opened it, and when it ends. */
type Rest = { readonly failures: number; readonly since: number; readonly until: number };

const FAILURES_TO_OPEN = 5;
const REST_MILLISECONDS = 30_000;

export const CLOSED: Breaker = { state: "closed", failures: 0 };

/** Only a provider's silence counts against it: a decline is an answer, and so is "pending"; a fault of ours is neither. */
export function afterOutcome(breaker: Breaker, outcome: Outcome, now: number): Breaker {
  if (outcome.kind !== "not_sent" && outcome.kind !== "unknown") return CLOSED;
  // While our credentials are refused every order fares the same, so it rests like a provider that is silent.
  if (outcome.fault !== undefined && outcome.fault !== "credentials") return breaker;
  // What was sent before it opened is still coming in; it must not put off the probe.
  if (breaker.state === "open") return breaker;
  const failures = breaker.failures + 1;
  if (breaker.state === "closed" && failures < FAILURES_TO_OPEN) return { state: "closed", failures };
  const since = breaker.state === "half_open" ? breaker.since : now;
  return { state: "open", failures, since, until: now + REST_MILLISECONDS };
}

export function admits(breaker: Breaker, now: number): boolean {
  return breaker.state === "closed" || now >= breaker.until;
}

/** When an order is about to be sent there. */
export function beforeSend(breaker: Breaker, now: number): Breaker {
  return breaker.state === "closed" ? breaker : { ...breaker, state: "half_open", until: now + REST_MILLISECONDS };
}
