import { expect, test } from "vitest";
import { createServiceClock, steadyNow } from "./clock.ts";

const START = Date.UTC(2026, 0, 1);

function testClock(offsetSeconds = 0) {
  let steady = 1000;
  let database = START;
  const reading = (took = 0) => ({ before: steady - took, databaseMilliseconds: database, after: steady });
  const clock = createServiceClock({ offsetSeconds, reading: reading(), steady: () => steady });
  const pass = (milliseconds: number) => {
    steady += milliseconds;
    database += milliseconds;
  };
  return { clock, reading, pass, setDatabase: (by: number) => (database += by) };
}

test("the service's time is the database's, shifted by the configured offset", () => {
  const { clock, pass } = testClock(-7200);
  pass(1500.7);
  expect(clock.now()).toBe(START + 1500 - 7_200_000);
});

test.each([-3 * 3_600_000, 3 * 3_600_000])(
  "a step of the database's clock by %d ms is followed at once; durations do not change",
  (step) => {
    const { clock, reading, pass, setDatabase } = testClock(60);
    const began = steadyNow(clock);
    setDatabase(step);
    pass(1000);
    expect(clock.follow(reading())).toBe(step);
    expect([clock.now(), steadyNow(clock) - began]).toEqual([START + 60_000 + 1000 + step, 1000]);
    expect(clock.follow(reading())).toBe(0);
  },
);

test("a small difference is corrected gradually, and a slow answer does not count as a difference", () => {
  const { clock, reading, pass, setDatabase } = testClock();
  setDatabase(-120);
  const before = clock.now();
  expect([clock.follow(reading()), clock.now() - before]).toEqual([0, -50]);
  for (let times = 0; times < 5; times += 1) clock.follow(reading());
  expect(clock.now() - before).toBe(-120);
  pass(5000);
  const now = clock.now();
  expect([clock.follow({ ...reading(5000), databaseMilliseconds: now - 4000 }), clock.now()]).toEqual([0, now]);
});

test("a clock without monotonic time measures durations by its time", () => {
  expect(steadyNow({ now: () => 42 })).toBe(42);
});
