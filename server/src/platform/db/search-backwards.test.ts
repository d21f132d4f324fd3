import fc from "fast-check";
import { expect, test } from "vitest";
import { type BackwardSearch, MAX_CANDIDATES, SEARCH_MILLISECONDS, searchBackwards, type TimeRange } from "./search-backwards.ts";

/** A search for the even ones among these times. Each row counts as `weight` candidates. */
function search(
  times: readonly number[],
  weight: number,
  more: Partial<BackwardSearch<number>> = {},
): BackwardSearch<number> & { reads: TimeRange[] } {
  const reads: TimeRange[] = [];
  const [begin, end] = [Math.min(...times), Math.max(...times) + 1];
  return {
    reads,
    whole: { begin, end },
    usual: Math.max(1, Math.floor((end - begin) / 50)),
    seldom: false,
    enough: 10,
    deadline: performance.now() + SEARCH_MILLISECONDS,
    look: async (range, most) => {
      reads.push(range);
      const there = times.filter((time) => time >= range.begin && time < range.end);
      const wanted = there.filter((time) => time % 2 === 0).toSorted((one, other) => other - one);
      return { candidates: there.length * weight, rows: wanted.slice(0, most) };
    },
    ...more,
  };
}

test("continuing from where the last search ended returns every row once, newest first", async () => {
  const times = fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 1, max: 2_000 }), fc.boolean(), async (given, weight, seldom) => {
      const shown: number[] = [];
      for (let rest: readonly number[] = given; rest.length > 0; ) {
        const { rows, reached } = await searchBackwards(search(rest, weight, { seldom, enough: 7 }));
        expect(rows.length).toBeLessThanOrEqual(7);
        const full = rows.length === 7;
        const last = full ? (rows.at(-1) ?? 0) : reached;
        shown.push(...rows);
        rest = last === null ? [] : rest.filter((time) => time < last);
      }
      expect(shown).toEqual(given.filter((time) => time % 2 === 0).toSorted((one, other) => other - one));
    }),
  );
});

test("a rare match is found with a few reads, without a second page", async () => {
  const rare = search([3, 500_000, 1_000_000], 1, { seldom: true });
  expect(await searchBackwards(rare)).toEqual({ rows: [1_000_000, 500_000], reached: null });
  expect(rare.reads.length).toBeLessThanOrEqual(4);
});

test("a frequent match is searched among the newest rows, and no further than needed", async () => {
  const times = Array.from({ length: 1_000 }, (_, place) => place * 10);
  const common = search(times, MAX_CANDIDATES / 100, { seldom: true });
  const { rows } = await searchBackwards(common);
  expect(rows).toEqual(times.slice(-10).toReversed());
  const oldest = Math.min(...common.reads.map((range) => range.begin));
  expect(oldest).toBeGreaterThan(9_000);
});

test("a range of one millisecond is not divided further", async () => {
  const crowded = search([4, 6], MAX_CANDIDATES + 1);
  expect(await searchBackwards(crowded)).toEqual({ rows: [6, 4], reached: null });
});

test("after the deadline no range is read, but each page is a range further", async () => {
  const late = search([0, 500, 1_000], 1, { deadline: performance.now() });
  expect(await searchBackwards(late)).toEqual({ rows: [1_000], reached: 981 });
  expect(late.reads).toEqual([{ begin: 981, end: 1_001 }]);
});
