import { expect, test } from "vitest";
import { missingCellsText } from "./missing-cells.ts";

test.each([
  ["2", "Cell 2 does not answer; its records are missing in lists."],
  ["0", "Home does not answer; its records are missing in lists."],
  ["0, 2", "Home and cell 2 do not answer; their records are missing in lists."],
])("the cells %s are named in a sentence", (header, text) => {
  expect(missingCellsText(header)).toBe(text);
});
