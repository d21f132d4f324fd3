import { expect, test } from "vitest";
import { nextPollDelay } from "./poll-schedule.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** All poll delays of an order that never gets an answer. */
function wholeSchedule(): readonly number[] {
  const delays: number[] = [];
  let since = 0;
  for (;;) {
    const delay = nextPollDelay(delays.length, since);
    if (delay === null) return delays;
    delays.push(delay);
    since += delay;
  }
}

test("an order in doubt is polled after 5 s, 15 s and 30 s, then every minute for an hour, then every five minutes for a day", () => {
  const delays = wholeSchedule();
  expect(delays.slice(0, 5)).toEqual([5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, MINUTE]);
  const times = delays.map((_, place) => delays.slice(0, place).reduce((sum, delay) => sum + delay, 0));
  delays.forEach((delay, place) => {
    const since = times[place] ?? 0;
    if (place > 3) expect(delay).toBe(since < HOUR ? MINUTE : 5 * MINUTE);
  });
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThanOrEqual(DAY);
});

test("staff must settle an order after a day of polling, not earlier", () => {
  expect(nextPollDelay(400, DAY - 1)).toBe(5 * MINUTE);
  expect(nextPollDelay(400, DAY)).toBeNull();
});

test("an order that is old at its first poll still gets the short first intervals", () => {
  expect([0, 1, 2, 3].map((polls) => nextPollDelay(polls, 2 * DAY))).toEqual([5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE]);
});
