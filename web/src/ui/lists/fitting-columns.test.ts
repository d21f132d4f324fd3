import { expect, test } from "vitest";
import { columnsToLeaveOut } from "./fitting-columns.ts";

const COLUMNS = [
  { header: "Number", wideOnly: true },
  { header: "Client", wideOnly: true },
  { header: "Provider", wideOnly: true, leftOutFirst: true },
  { header: "Amount" },
  { header: "Time", wideOnly: true },
];
const WIDTHS = [200, 150, 80, 100, 120];

test("a table that is too wide loses as many columns as it must, the marked ones first and then from the right", () => {
  expect(columnsToLeaveOut(COLUMNS, WIDTHS, 1)).toEqual(["Provider"]);
  expect(columnsToLeaveOut(COLUMNS, WIDTHS, 81)).toEqual(["Provider", "Time"]);
  expect(columnsToLeaveOut(COLUMNS, WIDTHS, 201)).toEqual(["Provider", "Time", "Client"]);
  expect(columnsToLeaveOut(COLUMNS, WIDTHS, 0)).toEqual([]);
});

test("the first column and those of narrow screens stay, however wide the table is", () => {
  expect(columnsToLeaveOut(COLUMNS, WIDTHS, 10_000)).toEqual(["Provider", "Time", "Client"]);
  expect(columnsToLeaveOut(COLUMNS, [200, 0, 0, 100, 0], 10_000)).toEqual([]);
});
