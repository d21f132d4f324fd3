import fc from "fast-check";
import { expect, test } from "vitest";
import type { Outcome, OwnFault } from "../connector.ts";
import { admits, afterOutcome, type Breaker, beforeSend, CLOSED } from "./breaker.ts";

const NOW = 1_000_000;

function after(kinds: readonly Outcome["kind"][], from: Breaker = CLOSED, now = NOW): Breaker {
  return kinds.reduce((breaker, kind) => afterOutcome(breaker, outcome(kind), now), from);
}

const outcome = (kind: string, fault?: OwnFault) => ({ kind, why: "", ...(fault ? { fault } : {}) }) as Outcome;

const fiveSilent = after(["unknown", "not_sent", "unknown", "unknown", "not_sent"]);

test("five silences in a row open it, four do not", () => {
  expect(admits(after(["unknown", "unknown", "not_sent", "unknown"]), NOW)).toBe(true);
  expect(admits(fiveSilent, NOW)).toBe(false);
});

test.each(["succeeded", "declined", "pending"] as const)("an answer of %s resets the count", (kind) => {
  expect(after(["unknown", "unknown", "unknown", "unknown", kind, "unknown", "unknown", "unknown", "unknown"]).state).toBe("closed");
  expect(after([kind], fiveSilent)).toEqual(CLOSED);
});

test("declines alone never open it", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("declined", "succeeded", "pending")), (kinds) => {
      expect(after(kinds as Outcome["kind"][])).toEqual(CLOSED);
    }),
  );
});

test("a provider that is busy gets no orders for a second, then for twice as long each time, up to thirty seconds", () => {
  const busy: Outcome = { kind: "declined", reason: "too many requests", decline: "busy" };
  let breaker: Breaker = CLOSED;
  let now = NOW;
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    breaker = afterOutcome(beforeSend(breaker, now), busy, now);
    expect(admits(breaker, now + seconds * 1000 - 1)).toBe(false);
    expect(afterOutcome(breaker, busy, now + 1)).toBe(breaker);
    now += seconds * 1000;
    expect(admits(breaker, now)).toBe(true);
  }
  expect(afterOutcome(beforeSend(breaker, now), outcome("succeeded"), now)).toEqual(CLOSED);
});

test("after thirty seconds one order tries, and only one", () => {
  expect(admits(fiveSilent, NOW + 29_999)).toBe(false);
  expect(admits(fiveSilent, NOW + 30_000)).toBe(true);
  const trying = beforeSend(fiveSilent, NOW + 30_000);
  expect(admits(trying, NOW + 30_001)).toBe(false);
  expect(afterOutcome(trying, outcome("succeeded"), NOW + 31_000)).toEqual(CLOSED);
  const again = afterOutcome(trying, outcome("unknown"), NOW + 33_000);
  expect(admits(again, NOW + 62_999)).toBe(false);
  expect(admits(again, NOW + 63_000)).toBe(true);
});

test("a try of which nothing is heard does not keep it closed to others for ever", () => {
  expect(admits(beforeSend(fiveSilent, NOW + 30_000), NOW + 60_000)).toBe(true);
});

test("late silences of requests sent before it opened do not put off the next try", () => {
  expect(admits(after(["unknown", "unknown"], fiveSilent, NOW + 20_000), NOW + 30_000)).toBe(true);
});

test("a try that fails opens it again, with the time since which nothing was heard", () => {
  const trying = beforeSend(fiveSilent, NOW + 30_000);
  expect(afterOutcome(trying, outcome("unknown"), NOW + 33_000)).toEqual({ state: "open", failures: 6, since: NOW, until: NOW + 63_000 });
});

test.each(["order", "address", "name", "capacity", "shutdown", "connector"] as const)(
  "a fault of ours (%s) neither opens nor closes it",
  (fault) => {
    const ten = Array.from({ length: 10 }, () => outcome("not_sent", fault));
    expect(ten.reduce((breaker, one) => afterOutcome(breaker, one, NOW), CLOSED)).toEqual(CLOSED);
    expect(afterOutcome(fiveSilent, outcome("not_sent", fault), NOW)).toEqual(fiveSilent);
  },
);

test("a provider that refuses our credentials rests: every order would fare the same", () => {
  const five = Array.from({ length: 5 }, () => outcome("unknown", "credentials"));
  expect(five.reduce((breaker, one) => afterOutcome(breaker, one, NOW), CLOSED).state).toBe("open");
});
