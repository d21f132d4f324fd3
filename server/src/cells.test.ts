import { expect, test } from "vitest";
import type { Cell } from "./cell.ts";
import { createCells } from "./cells.ts";
import type { AccountCells } from "./domain/cells/account-cells.ts";

const cellOf = (cell: number) => ({ cell }) as Cell;

test("cells are listed by their numbers, whichever answers first", () => {
  const cells = createCells({ home: cellOf(0), configured: [0, 1, 2, 3], accountCells: {} as AccountCells });
  for (const cell of [3, 1, 2]) cells.add(cellOf(cell));
  expect(cells.all().map(({ cell }) => cell)).toEqual([0, 1, 2, 3]);
});
