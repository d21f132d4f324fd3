import fc from "fast-check";
import { expect, test } from "vitest";
import { indiaDate, indiaDateTime, indiaMinuteOfDay, indiaMonth, indiaMonthSpan, isOpen, parseTimeOfDay } from "./india-time.ts";

const at = (text: string) => Date.parse(`${text}+05:30`);

test.each([
  ["2026-11-15T00:00:00", "2026-11-15 00:00:00"],
  ["2026-02-28T23:59:59", "2026-02-28 23:59:59"],
  ["2028-02-29T12:00:00", "2028-02-29 12:00:00"],
  ["2025-12-31T23:59:59.999", "2025-12-31 23:59:59"],
])("%s in India is written %s", (moment, text) => {
  expect(indiaDateTime(at(moment))).toBe(text);
  expect(indiaDate(at(moment))).toBe(text.slice(0, 10));
});

test("the India day begins at half past six in the evening, UTC", () => {
  expect(indiaDate(Date.parse("2026-11-14T18:29:59Z"))).toBe("2026-11-14");
  expect(indiaDate(Date.parse("2026-11-14T18:30:00Z"))).toBe("2026-11-15");
});

test("India time agrees with the time zone database", () => {
  const formatter = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Kolkata", dateStyle: "short", timeStyle: "medium" });
  const moment = fc.date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(moment, (date) => {
      expect(indiaDateTime(date.getTime())).toBe(formatter.format(date));
    }),
  );
});

test.each(["24:00", "23:60", "7:00", "07:0", "0700", "07:00:00", "", " 07:00", "٠٧:٠٠", "-1:00", "07:00\n"])(
  "%j is no time of day",
  (text) => {
    expect(parseTimeOfDay(text)).toBeNull();
  },
);

type Case = readonly [opensAt: string | null, closesAt: string | null, time: string, open: boolean];
const CASES: readonly Case[] = [
  [null, null, "03:00", true],
  ["06:00", "23:30", "05:59", false],
  ["06:00", "23:30", "06:00", true],
  ["06:00", "23:30", "23:29", true],
  ["06:00", "23:30", "23:30", false],
  ["22:00", "02:00", "21:59", false],
  ["22:00", "02:00", "22:00", true],
  ["22:00", "02:00", "23:59", true],
  ["22:00", "02:00", "00:00", true],
  ["22:00", "02:00", "01:59", true],
  ["22:00", "02:00", "02:00", false],
  ["06:00", "00:00", "23:59", true],
  ["06:00", "00:00", "00:00", false],
  ["06:00", null, "05:59", false],
  ["06:00", null, "23:59", true],
  [null, "23:30", "00:00", true],
  [null, "23:30", "23:30", false],
];

test.each(CASES)("open from %s to %s: at %s it is %s", (opensAt, closesAt, time, open) => {
  expect(isOpen({ opensAt, closesAt }, at(`2026-11-15T${time}:00`))).toBe(open);
  expect(isOpen({ opensAt, closesAt }, at(`2026-11-15T${time}:59.999`))).toBe(open);
});

test("opening hours last as many minutes as lie between their ends, also across midnight", () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const write = (value: number) => `${String(Math.floor(value / 60)).padStart(2, "0")}:${String(value % 60).padStart(2, "0")}`;
  const midnight = at("2026-11-15T00:00:00");
  fc.assert(
    fc.property(minute, minute, (opens, closes) => {
      const hours = { opensAt: write(opens), closesAt: write(closes) };
      const open = Array.from({ length: 1440 }, (_, place) => isOpen(hours, midnight + place * 60_000)).filter(Boolean).length;
      expect(open).toBe(opens === closes ? 1440 : (closes - opens + 1440) % 1440);
    }),
    { numRuns: 50 },
  );
});

test("minutes since midnight run from 0 to 1439", () => {
  expect(indiaMinuteOfDay(at("2026-11-15T00:00:59"))).toBe(0);
  expect(indiaMinuteOfDay(at("2026-11-15T23:59:00"))).toBe(1439);
});

test.each([
  ["2026-11", "2026-11-01", "2026-12-01"],
  ["2026-12", "2026-12-01", "2027-01-01"],
  ["2028-02", "2028-02-01", "2028-03-01"],
])("%s lasts from midnight of %s up to midnight of %s", (month, from, to) => {
  const span = indiaMonthSpan(month);
  expect(span).toEqual({ fromMilliseconds: at(`${from}T00:00:00`), toMilliseconds: at(`${to}T00:00:00`) });
  expect([span?.fromMilliseconds ?? 0, (span?.toMilliseconds ?? 0) - 1].map(indiaMonth)).toEqual([month, month]);
});

test.each(["2026-13", "2026-00", "2026-1", "26-01", "2026-01-01", "2026", "", "x", "2026-0a"])("%j is no month", (text) => {
  expect(indiaMonthSpan(text)).toBeNull();
});
