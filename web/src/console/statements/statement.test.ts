import { expect, test } from "vitest";
import { monthText, recentMonths } from "./statement.ts";

test("months begin with the current one in India and go back over the year", () => {
  const months = recentMonths(Date.parse("2026-01-31T18:30:00Z"));
  expect(months.slice(0, 3).map(({ value }) => value)).toEqual(["2026-02", "2026-01", "2025-12"]);
  expect(months).toHaveLength(36);
  expect(months[0]?.label).toBe("February 2026");
});

test("a month has its name", () => {
  expect(monthText("2025-12")).toBe("December 2025");
});
