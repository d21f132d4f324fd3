import { expect, test } from "vitest";
import { readOptions } from "./options.ts";
import { addResult, noTotals, reportText } from "./report.ts";
import type { SeedResult } from "./run-seed.ts";
import { type SeedRange, startSeeds } from "./start-seeds.ts";

// Minutes with faults, then two quiet days.
const HOURS = 0.05;

async function simulate(range: Pick<SeedRange, "seed" | "count"> & { readonly bug?: string }): Promise<readonly SeedResult[]> {
  const results: SeedResult[] = [];
  await startSeeds({ hours: HOURS, bug: null, ...range }, (result) => results.push(result));
  return results;
}

// The slow tests plant every bug.
test("a planted bug is found", async () => {
  const results = await simulate({ seed: 1, count: 2, bug: "nonce-accepted-twice" });
  expect(results.flatMap((result) => result.violations)).toContainEqual(
    expect.stringMatching(/^The nonce \w+ of account \w+ was accepted twice\.$/),
  );
});

test("a report lists the seeds, what was done, and how to repeat a violation", () => {
  const totals = noTotals();
  const result = { hours: 49, steps: 12, stepsByKind: { database: 12 }, faults: { "clock: set back": 1 }, skippedHours: 48 };
  const more = { events: 0, orders: 3, traceHash: "", recent: [] };
  addResult(totals, { seed: 4, ...result, ...more, violations: [] });
  addResult(totals, { seed: 5, ...result, ...more, violations: ["The wallet has 1 instead of 2."] });
  const text = reportText(totals, 3, ({ seed }) => `npm run simulate -- seed=${seed}`);
  expect(text).toMatch(/Seeds: 4 to 5 \(2\)\nSimulated hours: 98, of which 2.0 with something going on\nPurchases: 6\nSteps: 24 in 3 s/);
  expect(text).toMatch(/2 {2}clock: set back/);
  expect(text).toMatch(/The wallet has 1 instead of 2\.\n {2}Repeat it: npm run simulate -- seed=5\n1 seeds with violations\.$/);
});

test.each([["seeds=3"], ["hours=0"], ["seed=1.5"], ["bug=unheard-of"]])("the option %s is refused", (word) => {
  expect(() => readOptions([word])).toThrow();
});

test("options have defaults, and hours may be a fraction", () => {
  expect(readOptions([])).toEqual({ seed: 1, hours: 48, jobs: 1, bug: null, verbose: false });
  expect(readOptions(["hours=0.5", "bug=refund-twice"])).toMatchObject({ hours: 0.5, bug: { name: "refund-twice" } });
});
