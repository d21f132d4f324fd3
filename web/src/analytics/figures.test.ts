import { expect, test } from "vitest";
import { changeText, latencyText, periodsAt, pointsText, rateText } from "./figures.ts";

test("times, rates and changes are written with their unit", () => {
  expect([null, 81, 1_240, 150_000].map(latencyText)).toEqual(["–", "81 ms", "1.2 s", "2.5 min"]);
  expect([rateText(0.9731), rateText(null)]).toEqual(["97.3 %", "–"]);
  expect([changeText(112, 100), changeText(50, 100), changeText(5, 5), changeText(5, 0)]).toEqual(["+12 %", "−50 %", "±0 %", null]);
  expect([pointsText(0.9, 0.913), pointsText(0.95, 0.9), pointsText(null, 0.9)]).toEqual(["−1.3 points", "+5.0 points", null]);
});

test("periods are days in India, also shortly after midnight there and at the turn of a year", () => {
  // 31 December 2026, 19:00 UTC is 1 January in India.
  expect(periodsAt(Date.UTC(2026, 11, 31, 19)).map(({ from, to }) => [from, to])).toEqual([
    ["2027-01-01", "2027-01-01"],
    ["2026-12-31", "2026-12-31"],
    ["2026-12-26", "2027-01-01"],
    ["2026-12-03", "2027-01-01"],
    ["2027-01-01", "2027-01-01"],
    ["2026-12-01", "2026-12-31"],
  ]);
});
