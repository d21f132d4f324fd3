import { expect, test } from "vitest";
import { backOff } from "./supervise-workers.ts";

test("a worker that ends is replaced at once, one that keeps ending later and later, up to half a minute", () => {
  expect([1, 2, 3, 5, 9, 10, 200].map(backOff)).toEqual([100, 200, 400, 1_600, 25_600, 30_000, 30_000]);
});
