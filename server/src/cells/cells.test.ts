import { expect, test } from "vitest";
import type { AccountCells } from "../domain/cells/account-cells.ts";
import type { Cell } from "./cell.ts";
import { createCells } from "./cells.ts";

const cellOf = (cell: number) => ({ cell }) as Cell;

test("cells are listed by their numbers, whichever answers first", () => {
  const cells = createCells({ home: cellOf(0), configured: [0, 1, 2, 3], accountCells: {} as AccountCells });
  for (const cell of [3, 1, 2]) cells.add(cellOf(cell));
  expect(cells.all().map(({ cell }) => cell)).toEqual([0, 1, 2, 3]);
});

test("an account is refused when its cell says that it has left, before home says where it is", () => {
  const hasLeft = (accountId: string) => accountId === "MOVED";
  const accountCells = { cellOf: () => 1, isHeld: () => false } as unknown as AccountCells;
  const cells = createCells({ home: cellOf(0), configured: [0, 1], accountCells });
  cells.add({ cell: 1, hasLeft } as unknown as Cell);
  expect([cells.find("MOVED"), cells.find("HERE")?.cell, cells.ofAccount("HERE").cell]).toEqual([null, 1, 1]);
  expect(() => cells.ofAccount("MOVED")).toThrow("has left cell 1");
});
