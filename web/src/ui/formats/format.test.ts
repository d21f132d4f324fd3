import { describe, expect, test } from "vitest";
import {
  countText,
  dayText,
  durationText,
  groupMoney,
  indiaDay,
  indiaInput,
  indiaTimeOf,
  isNonZero,
  longDurationText,
  moneyText,
  moneyTick,
  readIndiaTime,
} from "./format.ts";

describe("money", () => {
  test.each([
    ["0.0000", "₹0.00"],
    ["999.5000", "₹999.50"],
    ["1000", "₹1,000.00"],
    ["123456.5000", "₹1,23,456.50"],
    ["0.1250", "₹0.125"],
    ["1234567890.0001", "₹1,23,45,67,890.0001"],
    ["-250000.0000", "−₹2,50,000.00"],
  ])("%s is shown as %s, in Indian groups, and with more than two decimals only where they are not zero", (exact, shown) => {
    expect(moneyText(exact)).toBe(shown);
  });

  test("an amount beyond the exact numbers of JavaScript keeps every digit", () => {
    expect(groupMoney("-9007199254740993.0001")).toEqual({ negative: true, grouped: "9,00,71,99,25,47,40,993.0001", rest: "" });
  });

  test.each(["0.0000", "123456.5000", "0.1250", "-7.0001"])(
    "what is shown of %s and what only a copy has are the exact amount",
    (exact) => {
      const { negative, grouped, rest } = groupMoney(exact);
      expect((negative ? "-" : "") + grouped.replaceAll(",", "") + rest).toBe(exact);
    },
  );

  test.each([
    ["0.0000", false],
    ["-0.0000", false],
    ["0.0001", true],
    ["-5", true],
  ])("%s is some money: %s", (exact, some) => {
    expect(isNonZero(exact)).toBe(some);
  });

  test.each([
    [950, "₹950"],
    [99_999, "₹99,999"],
    [250_000, "₹2.5 L"],
    [12_345_678, "₹1.23 Cr"],
    [12.5, "₹12.5"],
    [-250_000, "−₹2.5 L"],
    [-950, "−₹950"],
  ])("the axis of a chart shows %d as %s", (value, shown) => {
    expect(moneyTick(value)).toBe(shown);
  });

  test("a count has Indian groups and no decimals", () => {
    expect(countText(1_234_567.9)).toBe("12,34,567");
  });
});

describe("times", () => {
  test("India time as the API writes it is also given in UTC", () => {
    expect(readIndiaTime("2026-01-01 03:21:32")).toEqual({
      iso: "2026-01-01T03:21:32+05:30",
      day: "1 Jan 2026",
      clock: "03:21:32",
      utc: "2025-12-31 21:51:32 UTC",
    });
  });

  test.each(["", "2026-01-01", "2026-01-01T03:21:32Z"])("%j is no India time", (text) => {
    expect(readIndiaTime(text)).toBeNull();
  });

  test("the day in India begins at 18:30 UTC", () => {
    expect(indiaDay(Date.parse("2026-11-15T18:29:59Z"))).toBe("2026-11-15");
    expect(indiaDay(Date.parse("2026-11-15T18:30:00Z"))).toBe("2026-11-16");
  });

  test("days ago cross the ends of months and years", () => {
    expect(indiaDay(Date.parse("2026-01-03T00:00:00Z"), 6)).toBe("2025-12-28");
    expect(indiaInput(Date.parse("2026-03-01T06:00:00Z"), 1)).toBe("2026-02-28T11:30");
  });

  test("a time that was typed is sent as India time with seconds", () => {
    expect(indiaTimeOf("2026-11-15T15:21")).toBe("2026-11-15 15:21:00");
  });
});

describe("durations", () => {
  test.each([
    [-3, "0 s"],
    [0.4, "0 s"],
    [59.6, "1 min 0 s"],
    [80, "1 min 20 s"],
    [3_600, "1 h 0 min"],
    [90_061, "25 h 1 min"],
  ])("%d seconds are %s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  test.each([
    ["2026-11-07", "7 Nov 2026"],
    ["soon", "soon"],
  ])("the day %s is shown as %s", (day, shown) => {
    expect(dayText(day)).toBe(shown);
  });

  test.each([
    [59_999, "0 min"],
    [3_540_000, "59 min"],
    [3_600_000, "1 h 0 min"],
    [187_200_000, "2 d 4 h"],
  ])("%d milliseconds are %s", (milliseconds, text) => {
    expect(longDurationText(milliseconds)).toBe(text);
  });
});
