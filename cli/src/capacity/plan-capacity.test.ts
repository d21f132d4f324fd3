import fc from "fast-check";
import { expect, test } from "vitest";
import { corprailHere } from "../../testing/in-process.ts";
import { COSTS, type Demand, planCapacity, STEPS } from "./plan-capacity.ts";

const DEMAND: Demand = { ordersPerDay: 1_000_000, peak: 5, callbacks: 0.3, keepMonths: 12, cores: 8 };

const demands = fc.record({
  ordersPerDay: fc.integer({ min: 1, max: 1_000_000_000 }),
  peak: fc.integer({ min: 1, max: 50 }),
  callbacks: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  keepMonths: fc.integer({ min: 1, max: 120 }),
  cores: fc.integer({ min: 1, max: 256 }),
});

test("a million orders a day are 58 a second at five times the average", () => {
  const capacity = planCapacity(DEMAND);
  expect(capacity.peakPerSecond).toBeCloseTo(57.87, 2);
  expect(capacity.nodeCores).toBeCloseTo((57.87 * (COSTS.nodeMicrosecondsPerOrder + 0.3 * COSTS.nodeMicrosecondsPerCallback)) / 500_000, 3);
  expect(capacity.step).toBe("one process");
  expect(capacity.databaseGigabytes).toBeCloseTo((365 * 1.003 * COSTS.storedBytesPerOrder) / 1000, -1);
});

test("steps follow each other, and the chosen one is the first that is enough", () => {
  fc.assert(
    fc.property(demands, (demand) => {
      const { steps, step } = planCapacity(demand);
      const limits = steps.map(({ upToOrdersPerDay }) => upToOrdersPerDay ?? Number.POSITIVE_INFINITY);
      expect(limits).toEqual(limits.toSorted((a, b) => a - b));
      expect(steps.map(({ name }) => name)).toEqual([...STEPS]);
      const place = STEPS.indexOf(step);
      expect(demand.ordersPerDay).toBeLessThanOrEqual(limits[place] ?? 0);
      if (place > 0) expect(demand.ordersPerDay).toBeGreaterThan(limits[place - 1] ?? 0);
    }),
  );
});

test("within a step, its machines are at most half busy at the peak", () => {
  fc.assert(
    fc.property(demands, (demand) => {
      const { step, nodeCores, postgresCores, processes, cells } = planCapacity(demand);
      const slack = 1 + 1e-9;
      expect(processes * slack).toBeGreaterThanOrEqual(nodeCores);
      expect(cells * demand.cores * slack).toBeGreaterThanOrEqual(postgresCores);
      if (step === "one process") expect(nodeCores).toBeLessThanOrEqual(slack);
      if (step === "all cores of one machine") expect(nodeCores + postgresCores).toBeLessThanOrEqual(demand.cores * slack);
      expect(cells > 1).toBe(step === "cells" && postgresCores > demand.cores);
    }),
  );
});

test("the command prints the needs and the steps, and refuses what is no number", async () => {
  const printed = await corprailHere(["capacity", "--orders-per-day", "20000000"]);
  expect(printed.code).toBe(0);
  expect(printed.stdout).toContain("→  all cores of one machine");
  const json = await corprailHere(["capacity", "--orders-per-day", "2000000000", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, step: "cells", peak_per_second: expect.any(Number) });
  expect(json.stdout).not.toMatch(/"[a-z]+[A-Z]\w*":/);
  const refused = await corprailHere(["capacity", "--orders-per-day", "many"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("--orders-per-day must be a number from 1 to 1000000000000.");
});
