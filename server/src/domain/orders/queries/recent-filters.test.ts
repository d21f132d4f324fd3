import { expect, test } from "vitest";
import type { Sql } from "../../../platform/db/connection.ts";
import { ANY_ORDER, type BrowseFilter } from "./browse-filter.ts";
import { createRecentFilters } from "./recent-filters.ts";

const one = (() => {}) as unknown as Sql;
const other = (() => {}) as unknown as Sql;
const filter: BrowseFilter = { ...ANY_ORDER, accountId: null, fromMilliseconds: 0, toMilliseconds: 9, search: "9876", limit: 50 };

test("a filter is known on every page, for its database only, until it is not used for a minute", () => {
  let now = 0;
  const recent = createRecentFilters(() => now);
  recent.add(one, filter);
  now = 60_000;
  expect(recent.has(one, { ...filter, before: "0123456789ABCDEFGH", searchesParts: true, limit: 9 })).toBe(true);
  expect(recent.has(other, filter)).toBe(false);
  expect(recent.has(one, { ...filter, search: "98765" })).toBe(false);
  expect(recent.has(one, { ...filter, accountId: "A" })).toBe(false);
  now = 120_000;
  expect(recent.has(one, filter)).toBe(true);
  now = 180_001;
  expect(recent.has(one, filter)).toBe(false);
});

test("of many filters the least recent ones are dropped", () => {
  const recent = createRecentFilters(() => 0);
  const numbered = (number: number) => ({ ...filter, search: `text ${number}` });
  for (let number = 0; number < 200; number++) recent.add(one, numbered(number));
  expect(recent.has(one, numbered(0))).toBe(true);
  recent.add(one, numbered(200));
  expect([0, 1, 2, 200].map((number) => recent.has(one, numbered(number)))).toEqual([true, false, true, true]);
});
