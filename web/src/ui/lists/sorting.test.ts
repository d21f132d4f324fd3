import { expect, test } from "vitest";
import { sortedRows } from "./sorting.tsx";

const ROWS = [
  { name: "Nila", amount: "90.00" },
  { name: "asha", amount: "100.00" },
  { name: "Kaveri", amount: "90.00" },
];
const COLUMNS = [
  { header: "Name", sort: (row: (typeof ROWS)[number]) => row.name },
  { header: "Amount", sort: (row: (typeof ROWS)[number]) => Number(row.amount) },
  { header: "Note" },
];
const by = (header: string, direction: "ascending" | "descending") =>
  sortedRows(ROWS, COLUMNS, { directionOf: (one) => (one === header ? direction : "none") })?.map(({ name }) => name);

test("amounts are sorted as numbers and names as words, and equal rows keep their order", () => {
  expect(by("Name", "ascending")).toEqual(["asha", "Kaveri", "Nila"]);
  expect(by("Amount", "ascending")).toEqual(["Nila", "Kaveri", "asha"]);
  expect(by("Amount", "descending")).toEqual(["asha", "Nila", "Kaveri"]);
});

test("a column that cannot be sorted, and no choice, leave the list as it is", () => {
  expect(by("Note", "ascending")).toEqual(["Nila", "asha", "Kaveri"]);
  expect(by("Other", "ascending")).toEqual(["Nila", "asha", "Kaveri"]);
  expect(sortedRows(undefined, COLUMNS, { directionOf: () => "ascending" })).toBeUndefined();
});
