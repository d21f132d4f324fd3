import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMilliseconds, retryAfterSeconds } from "./time.js";

test("pauses grow up to a bound and lie in the upper half of their range", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (retry, chance) => {
      const whole = Math.min(8_000, 500 * 2 ** (retry - 1));
      const pause = backoffMilliseconds(retry, chance);
      expect(pause).toBeGreaterThanOrEqual(whole / 2);
      expect(pause).toBeLessThanOrEqual(whole);
    }),
  );
});

test.each([
  ["7", 7],
  [" 0 ", 0],
  ["Sun, 15 Jun 2025 15:07:00 GMT", 20],
  ["Sun, 15 Jun 2025 15:06:00 GMT", 0],
  ["soon", null],
  ["-1", null],
  ["1.5", null],
  [null, null],
])("Retry-After %j is %j seconds", (header, expected) => {
  expect(retryAfterSeconds(header, Date.UTC(2025, 5, 15, 15, 6, 40))).toBe(expected);
});
