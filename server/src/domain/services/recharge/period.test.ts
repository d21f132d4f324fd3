import { describe, expect, test } from "vitest";
import { type PeriodInput, periodPage, readPeriod } from "./period.ts";

const NOON = Date.parse("2026-11-15T12:00:00+05:30");
const LAST = /^[0-9]+$/;

function read(asked: Partial<PeriodInput>, now = NOON) {
  return readPeriod({ limit: 50, ...asked }, now, LAST);
}

function daysOf(asked: Partial<PeriodInput>, now = NOON) {
  const period = read(asked, now);
  return period.kind === "refused" ? period.fields : `${period.from} ${period.to}`;
}

describe("the days of a list", () => {
  test("are the last seven by default, today included, as India counts them", () => {
    expect(daysOf({})).toBe("2026-11-09 2026-11-15");
    expect(daysOf({}, Date.parse("2026-11-15T23:59:59.999+05:30"))).toBe("2026-11-09 2026-11-15");
    expect(daysOf({}, Date.parse("2026-11-16T00:00:00+05:30"))).toBe("2026-11-10 2026-11-16");
  });

  test("end today when only the first is given, and begin six before when only the last is", () => {
    expect(daysOf({ from: "2026-11-01" })).toBe("2026-11-01 2026-11-15");
    expect(daysOf({ to: "2026-03-03" })).toBe("2026-02-25 2026-03-03");
  });

  test("are both included: from the first midnight to the midnight after the last", () => {
    expect(read({ from: "2026-11-15", to: "2026-11-15" })).toMatchObject({
      fromMilliseconds: Date.parse("2026-11-15T00:00:00+05:30"),
      toMilliseconds: Date.parse("2026-11-16T00:00:00+05:30"),
    });
  });

  test("are at most 31", () => {
    expect(daysOf({ from: "2026-10-16", to: "2026-11-15" })).toBe("2026-10-16 2026-11-15");
    expect(daysOf({ from: "2026-10-15", to: "2026-11-15" })).toEqual({ from: expect.stringContaining("31") });
    expect(daysOf({ from: "2026-10-15" })).toEqual({ from: expect.stringContaining("31") });
  });

  test("do not run backwards", () => {
    expect(daysOf({ from: "2026-11-15", to: "2026-11-14" })).toEqual({ from: "must not be after to" });
  });
});

describe("a cursor", () => {
  const cursorOf = (asked: Partial<PeriodInput>, now = NOON): string => {
    const period = read(asked, now);
    if (period.kind === "refused") throw new Error("refused");
    return periodPage(["3", "2", "1"], 2, period, (row) => row).next ?? "";
  };

  test("keeps its days when midnight comes between two pages", () => {
    const after = cursorOf({});
    const next = read({ after }, NOON + 24 * 60 * 60 * 1_000);
    expect(next).toMatchObject({ from: "2026-11-09", to: "2026-11-15", last: "2" });
  });

  test("goes with the days that are asked for again", () => {
    const asked = { from: "2026-11-01", to: "2026-11-05" };
    expect(read({ ...asked, after: cursorOf(asked) })).toMatchObject({ ...asked, last: "2" });
  });

  test("is there only when there is more", () => {
    const period = read({});
    if (period.kind === "refused") throw new Error("refused");
    expect(periodPage(["2", "1"], 2, period, (row) => row)).toEqual({ shown: ["2", "1"], next: null });
    expect(periodPage([], 2, period, (row: string) => row)).toEqual({ shown: [], next: null });
  });

  test.each([
    "",
    "x",
    "MQ",
    Buffer.from("2026-11-09 2026-11-15 x").toString("base64url"),
    Buffer.from("2026-11-09 2026-02-30 1").toString("base64url"),
  ])("that this list did not make is refused: %j", (after) => {
    expect(daysOf({ after })).toEqual({ after: "is not a cursor of this list" });
  });
});
