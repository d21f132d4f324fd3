import { expect, test } from "vitest";
import { BUGS } from "./checks/bugs.ts";
import type { SeedResult } from "./run-seed.ts";
import { type SeedRange, startSeeds } from "./start-seeds.ts";

async function simulateAll(range: SeedRange): Promise<readonly SeedResult[]> {
  const results: SeedResult[] = [];
  await startSeeds(range, (result) => results.push(result));
  return results;
}

async function simulate(seed: number, hours: number, bug: string | null): Promise<SeedResult> {
  const [result] = await simulateAll({ seed, count: 1, hours, bug });
  if (!result) throw new Error("The seed has no result.");
  return result;
}

test.each(BUGS)("the planted bug $name is found within $withinSteps steps", { timeout: 1_200_000 }, async ({ name, withinSteps }) => {
  let steps = 0;
  for (let seed = 1; steps <= withinSteps; seed++) {
    const result = await simulate(seed, 12, name);
    steps += result.steps;
    if (result.violations.length > 0) return;
  }
  expect.fail(`${name} was not found within ${steps} steps.`);
});

test.each([11, 12, 13])("four days of seed %d have no violation", { timeout: 1_200_000 }, async (seed) => {
  expect((await simulate(seed, 96, null)).violations).toEqual([]);
});

// Minutes with faults, then two quiet days.
const SHORT = { hours: 0.05, bug: null };

test("the same seed leads to the same steps, alone and after another seed, and to no violation", async () => {
  const [[alone], [first, second]] = await Promise.all([
    simulateAll({ ...SHORT, seed: 2, count: 1 }),
    simulateAll({ ...SHORT, seed: 1, count: 2 }),
  ]);
  expect([alone?.violations, first?.violations]).toEqual([[], []]);
  expect(alone?.orders).toBeGreaterThan(0);
  expect(alone?.stepsByKind["database"]).toBeGreaterThan(100);
  expect({ ...second }).toEqual({ ...alone });
  expect(first?.traceHash).not.toBe(alone?.traceHash);
});
