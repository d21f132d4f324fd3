import { expect, test } from "vitest";
import { exportTitle } from "./title.ts";

test("the title has the days and the filters that were set", () => {
  const times = { from_milliseconds: 1, to_milliseconds: 2, at: 3 };
  expect(exportTitle({ from: "2026-11-01", to: "2026-11-07", status: "SUCCESS", service: null, ...times })).toBe(
    "Transactions 2026-11-01 to 2026-11-07, SUCCESS",
  );
});

test("one day is named once", () => {
  expect(exportTitle({ from: "2026-11-01", to: "2026-11-01" })).toBe("Transactions 2026-11-01");
});
