import fc from "fast-check";
import { expect, test } from "vitest";
import { nameMatchScore } from "./views.ts";

test.each([
  ["Ravi Kumar", "RAVI KUMAR", 100],
  ["Ravi Kumar", "Kumar, Ravi", 100],
  ["Ravi Kumar", "", 0],
  ["Ravi", "BHEEM", 0],
  ["Ravi Kumar", "RAVI KUMAR SINGH", 78],
  ["आशा वर्मा", "आशा वर्मा", 100],
])("%s and %s match to %i", (one, other, score) => {
  expect(nameMatchScore(one, other)).toBe(score);
});

test("a score is from 0 to 100, the same both ways, and 100 for a name and itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (one, other) => {
      const score = nameMatchScore(one, other);
      expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
      expect(nameMatchScore(other, one)).toBe(score);
      expect([0, 100]).toContain(nameMatchScore(one, one));
    }),
  );
});
