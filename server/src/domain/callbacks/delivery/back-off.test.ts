import fc from "fast-check";
import { expect, test } from "vitest";
import { backOffMilliseconds, LONGEST_WAIT_SECONDS } from "./back-off.ts";

test("failures wait 5 s, 15 s, 1 m, 5 m, 15 m, 1 h, 2 h, 4 h and then always 6 h", () => {
  const seconds = Array.from({ length: 12 }, (_, step) => backOffMilliseconds(step, 0.5) / 1000);
  expect(seconds).toEqual([5, 15, 60, 300, 900, 3600, 7200, 14_400, 21_600, 21_600, 21_600, 21_600]);
});

test("delays are spread by a fifth either way and never exceed LONGEST_WAIT_SECONDS", () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.double({ min: 0, max: 1, noNaN: true }), (step, chance) => {
      const middle = backOffMilliseconds(step, 0.5);
      const wait = backOffMilliseconds(step, chance);
      expect(wait).toBeGreaterThanOrEqual(Math.floor(middle * 0.8));
      expect(wait).toBeLessThanOrEqual(Math.ceil(middle * 1.2));
      expect(wait / 1000).toBeLessThanOrEqual(LONGEST_WAIT_SECONDS[Math.min(step + 1, LONGEST_WAIT_SECONDS.length - 1)] ?? 0);
    }),
  );
});
