import type { Outcome } from "../connector.ts";

/** A circuit breaker for one provider and operator: it keeps orders away while the provider does not answer. An immutable value. */
export type Breaker =
  | { readonly state: "closed"; readonly failures: number }
  /** No order is sent until that time; then one order is sent as a probe. */
  | (Rest & { readonly state: "open" })
  /** A probe is in progress; if it has no result by that time, another may be sent. */
  | (Rest & { readonly state: "half_open" });

/** Consecutive missing answers, when the breaker opened, and until when it stays open. */
type Rest = { readonly failures: number; readonly since: number; readonly until: number };

const FAILURES_TO_OPEN = 5;
const REST_MILLISECONDS = 30_000;
// A provider that is at its rate limit accepts requests again soon.
const FIRST_BACK_OFF_MILLISECONDS = 1000;

export const CLOSED: Breaker = { state: "closed", failures: 0 };

/**
 * A missing answer counts, and a decline because the provider is busy. Any other decline or "pending" is an answer, and a fault
 * on our side says nothing about the provider.
 */
export function afterOutcome(breaker: Breaker, outcome: Outcome, now: number): Breaker {
  if (outcome.kind === "declined" && outcome.decline === "busy") return backedOff(breaker, now);
  if (outcome.kind !== "not_sent" && outcome.kind !== "unknown") return CLOSED;
  // While our credentials are refused every order fails alike, so this counts like a missing answer.
  if (outcome.fault !== undefined && outcome.fault !== "credentials") return breaker;
  // Results of orders that were sent before the breaker opened must not postpone the probe.
  if (breaker.state === "open") return breaker;
  const failures = breaker.failures + 1;
  if (breaker.state === "closed" && failures < FAILURES_TO_OPEN) return { state: "closed", failures };
  const since = breaker.state === "half_open" ? breaker.since : now;
  return { state: "open", failures, since, until: now + REST_MILLISECONDS };
}

/** One second after the first such decline, then twice as long after each further one, up to the usual rest. */
function backedOff(breaker: Breaker, now: number): Breaker {
  // Declines of orders that were sent before it opened say nothing new.
  if (breaker.state === "open") return breaker;
  const failures = breaker.failures + 1;
  const rest = Math.min(REST_MILLISECONDS, FIRST_BACK_OFF_MILLISECONDS * 2 ** (failures - 1));
  return { state: "open", failures, since: breaker.state === "half_open" ? breaker.since : now, until: now + rest };
}

export function admits(breaker: Breaker, now: number): boolean {
  return breaker.state === "closed" || now >= breaker.until;
}

/** The breaker's state once an order is about to be sent. */
export function beforeSend(breaker: Breaker, now: number): Breaker {
  return breaker.state === "closed" ? breaker : { ...breaker, state: "half_open", until: now + REST_MILLISECONDS };
}
