import { expect, test } from "vitest";
import { BUGS } from "./bugs.ts";
import type { SeedResult } from "./run-seed.ts";
import { startSeeds } from "./start-seeds.ts";

async function simulate(seed: number, hours: number, bug: string | null): Promise<SeedResult> {
  const results: SeedResult[] = [];
  await startSeeds({ seed, count: 1, hours, bug }, (result) => results.push(result));
  const [result] = results;
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
