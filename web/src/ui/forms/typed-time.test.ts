import { expect, test } from "vitest";
import { CLOCK, DAY, MOMENT } from "./typed-time.ts";

test.each(["2026-03-04", "4 Mar 2026", "04 march 2026", "4/3/2026", "04-03-2026", "4-Mar-2026", " 4 Mar, 2026 "])(
  "%s is the fourth of March: the day comes before the month",
  (text) => expect(DAY.read(text)).toBe("2026-03-04"),
);

test.each(["", "4", "yesterday", "31 Feb 2026", "2026-13-01", "3/14/2026", "4 Mxr 2026", "4 Mar 26"])("%j is no day", (text) => {
  expect(DAY.read(text)).toBeNull();
});

test("a day is shown as it can be typed", () => {
  expect(DAY.show("2026-11-07")).toBe("7 Nov 2026");
  expect(DAY.read(DAY.show("2026-11-07"))).toBe("2026-11-07");
});

test("a time of day has 24 hours", () => {
  expect(["9:05", "09:05", "21.30", "00:00"].map(CLOCK.read)).toEqual(["09:05", "09:05", "21:30", "00:00"]);
  expect(["24:00", "9", "9:5", "9:05 pm", ""].map(CLOCK.read)).toEqual([null, null, null, null, null]);
});

test("a day and a time are read together", () => {
  for (const text of ["17 Nov 2026, 15:21", "2026-11-17T15:21", "17/11/2026 15:21"]) expect(MOMENT.read(text)).toBe("2026-11-17T15:21");
  expect(["17 Nov 2026", "15:21", "17 Nov 2026, 25:00"].map(MOMENT.read)).toEqual([null, null, null]);
  expect(MOMENT.show("2026-11-17T15:21")).toBe("17 Nov 2026, 15:21");
});

test("a long text without a time is refused in linear time", () => {
  // Both take hours if the text is searched from each of its blanks.
  expect(MOMENT.read(`1${" ".repeat(1_000_000)}x y`)).toBeNull();
  expect(MOMENT.read(`${"t".repeat(1_000_000)}\ty`)).toBeNull();
});
