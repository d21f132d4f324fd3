import { expect, test } from "vitest";
import { cellOfId, idsOfCell, randomIds } from "../../platform/core/ids.ts";
import { readCells } from "./cell.ts";

test("cells are read with their numbers, also those with several hosts", () => {
  expect(readCells("2=postgres://b1,b2/corprail 1=postgres://a/corprail")).toEqual([
    { cell: 1, url: "postgres://a/corprail" },
    { cell: 2, url: "postgres://b1,b2/corprail" },
  ]);
});

test.each(["0=postgres://a/c", "32=postgres://a/c", "1=mysql://a/c", "postgres://a/c", "1=postgres://a/c 1=postgres://b/c"])(
  "%s names no cells",
  (text) => {
    expect(readCells(text)).toBeNull();
  },
);

test("every cell's order ids tell the cell and still sort by time", () => {
  const ids = randomIds();
  for (const cell of [0, 1, 9, 10, 31]) {
    const own = idsOfCell(ids, cell);
    expect(cellOfId(own.order(1_794_929_132_000))).toBe(cell);
    expect(own.order(1_794_929_132_000) < own.order(1_794_929_132_001)).toBe(true);
  }
});
