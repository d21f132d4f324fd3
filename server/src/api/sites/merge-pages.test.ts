import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePages, type Page, toPage, writeIdCursor } from "./lists.ts";

type Item = { readonly id: string };

/** A cell's page of a list in descending order, as a store reads it: one row more than is shown. */
function pageOf(rows: readonly string[], after: string | null, limit: number): Page<Item> {
  const rest = rows.filter((id) => after === null || id < after);
  return toPage(
    rest.slice(0, limit + 1),
    limit,
    (id): Item => ({ id }),
    (id) => writeIdCursor(id),
  );
}

test("the merged pages of any cells hold every row once, newest first", () => {
  const row = fc.integer({ min: 0, max: 999 }).map((number) => String(number).padStart(12, "0"));
  fc.assert(
    fc.property(
      fc.uniqueArray(row, { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 4 }),
      (rows, limit, count) => {
        const all = rows.toSorted().reverse();
        const cells = Array.from({ length: count }, (_, cell) => all.filter((id) => Number(id) % count === cell));
        const seen: string[] = [];
        let after: string | null = null;
        do {
          const from = after === null ? null : Buffer.from(after, "base64url").toString("latin1");
          const page: Page<Item> = mergePages(
            cells.map((cell) => pageOf(cell, from, limit)),
            limit,
          );
          seen.push(...page.items.map(({ id }) => id));
          after = page.next;
        } while (after !== null);
        expect(seen).toEqual(all);
      },
    ),
  );
});
