import { expect, test } from "vitest";
import { medianOf, SPAN_MILLISECONDS } from "./spans.ts";

test("the median lies within the span that half of the orders stayed below", () => {
  expect(medianOf(new Map())).toBeNull();
  expect(medianOf(new Map([[-1, 500]]))).toBeNull();
  expect(medianOf(new Map([[0, 10]]))).toBe(3);
  // Nine within 20 to 50 ms, one that took an hour.
  const most =
    medianOf(
      new Map([
        [3, 9],
        [17, 1],
      ]),
    ) ?? 0;
  expect(most).toBeGreaterThan(20);
  expect(most).toBeLessThan(50);
});

test("a duration above every bound is reported as the last one", () => {
  expect(medianOf(new Map([[SPAN_MILLISECONDS.length, 3]]))).toBe(SPAN_MILLISECONDS.at(-1));
});

test("the order in which spans are found does not matter", () => {
  const forwards = medianOf(
    new Map([
      [1, 4],
      [5, 4],
      [9, 4],
    ]),
  );
  expect(
    medianOf(
      new Map([
        [9, 4],
        [1, 4],
        [5, 4],
      ]),
    ),
  ).toBe(forwards);
});
