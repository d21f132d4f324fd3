import { expect, test } from "vitest";
import { mergeChains, type Places, placesField } from "./chain-pages.ts";

const entry = (seq: number, at: number) => ({ seq: BigInt(seq), at: new Date(at) });

// In the cells 1 and 2 the clock was set back.
const CHAINS = [
  { cell: 0, rows: [entry(5, 54), entry(4, 42), entry(3, 31), entry(2, 22), entry(1, 10)] },
  { cell: 1, rows: [entry(5, 84), entry(4, 32), entry(3, 61), entry(2, 52), entry(1, 42)] },
  { cell: 2, rows: [entry(4, 1), entry(3, 32), entry(2, 22), entry(1, 5)] },
];

function readAll(limit: number): readonly string[] {
  const seen: string[] = [];
  let places: Places = new Map();
  for (let next: string | null = ""; next !== null; ) {
    const chains = CHAINS.map(({ cell, rows }) => ({
      cell,
      rows: rows.filter(({ seq }) => seq < (places.get(cell) ?? 99n)).slice(0, limit + 1),
    }));
    const page = mergeChains(chains, limit, places);
    seen.push(...page.shown.map(({ row, cell }) => `${cell}-${row.seq}`));
    next = page.next;
    if (next !== null) places = placesField.parse(next);
  }
  return seen;
}

test.each([1, 2, 3, 4, 20])("pages of %i show every entry of every chain once, in the order of its chain", (limit) => {
  const seen = readAll(limit);
  expect(seen.toSorted()).toEqual(CHAINS.flatMap(({ cell, rows }) => rows.map(({ seq }) => `${cell}-${seq}`)).sort());
  for (const { cell, rows } of CHAINS)
    expect(seen.filter((one) => one.startsWith(`${cell}-`))).toEqual(rows.map(({ seq }) => `${cell}-${seq}`));
});
