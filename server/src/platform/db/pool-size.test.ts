import { expect, test } from "vitest";
import { poolSize } from "./pool-size.ts";

test("up to two processes have a whole pool each, more share two pools, and each has what it cannot do without", () => {
  expect([1, 2, 3, 4, 16].map((processes) => poolSize({ alone: 10, least: 5 }, processes))).toEqual([10, 10, 7, 5, 5]);
});
