import { expect, test } from "vitest";
import { periodsAt } from "../ui/forms/periods.ts";
import { changeText, everyPoint, latencyText, pointsText, rateText } from "./figures.ts";

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

test("a chart has every day or hour up to the last one that is counted, with zeros for those without transactions", () => {
  const point = { at: "2026-11-16 00:00:00", success: 4, failed: 1, reversed: 0, pending: 0, median_ms: 80, p95_ms: 90 };
  const span = { from: "2026-11-15", to: "2026-11-18", interval: "day", points: [point], counted_until: "2026-11-17 00:00:00" } as const;
  expect(everyPoint(span).map(({ at, success }) => [at.slice(0, 10), success])).toEqual([
    ["2026-11-15", 0],
    ["2026-11-16", 4],
    ["2026-11-17", 0],
  ]);
  const hours = everyPoint({ ...span, from: "2026-11-16", to: "2026-11-16", interval: "hour", counted_until: null });
  expect([hours.length, hours[0]?.success, hours[23]?.at]).toEqual([24, 4, "2026-11-16 23:00:00"]);
});
