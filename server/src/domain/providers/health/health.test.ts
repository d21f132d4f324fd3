import { expect, test } from "vitest";
import type { Outcome } from "../connector.ts";
import { createHealth } from "./health.ts";

const NOW = Date.UTC(2026, 0, 1, 12, 0, 30);
const MINUTE = 60_000;

const outcome = (kind: string) => ({ kind, why: "" }) as Outcome;

function noted(...groups: readonly (readonly [Outcome["kind"], number, number?, number?])[]) {
  const health = createHealth();
  for (const [kind, count, minutesAgo = 0, milliseconds = 100] of groups) {
    for (let number = 0; number < count; number++) health.note("AT", outcome(kind), milliseconds, NOW - minutesAgo * MINUTE);
  }
  return health.of("AT", NOW);
}

test("nothing heard of is up, with no rate", () => {
  expect(noted()).toEqual({ status: "up", successRate1h: null });
});

test("the rate is of the last hour, and includes orders of unknown outcome", () => {
  expect(noted(["succeeded", 6], ["declined", 3], ["unknown", 1]).successRate1h).toBe(0.6);
  expect(noted(["succeeded", 6], ["pending", 10]).successRate1h).toBe(1);
  expect(noted(["declined", 50, 61], ["succeeded", 1, 59]).successRate1h).toBe(1);
  expect(noted(["declined", 50, 60]).successRate1h).toBeNull();
});

test("silence alone is down, some silence or long waits are slow, declines are neither", () => {
  expect(noted(["unknown", 3], ["not_sent", 2]).status).toBe("down");
  expect(noted(["unknown", 4]).status).toBe("up");
  expect(noted(["unknown", 3], ["succeeded", 9]).status).toBe("slow");
  expect(noted(["succeeded", 5, 0, 6000]).status).toBe("slow");
  expect(noted(["declined", 100]).status).toBe("up");
});

test("trouble of more than five minutes ago no longer shows in the status", () => {
  expect(noted(["unknown", 50, 6]).status).toBe("up");
});

test("operators do not share their health", () => {
  const health = createHealth();
  for (let number = 0; number < 9; number++) health.note("JO", outcome("unknown"), 1, NOW);
  expect(health.of("JO", NOW).status).toBe("down");
  expect(health.of("AT", NOW)).toEqual({ status: "up", successRate1h: null });
});

test("a fault of ours counts in no rate and no status", () => {
  const health = createHealth();
  for (let number = 0; number < 20; number++) health.note("AT", { kind: "not_sent", why: "", fault: "order" }, 1, NOW);
  health.note("AT", outcome("succeeded"), 100, NOW);
  expect(health.of("AT", NOW)).toEqual({ status: "up", successRate1h: 1 });
  expect(health.counts("AT", NOW)).toMatchObject({ succeeded: 1, unheard: 0, ours: 20, averageMilliseconds: 100 });
});
