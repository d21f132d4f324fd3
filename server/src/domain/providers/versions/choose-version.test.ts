import { expect, test } from "vitest";
import { chooseVersion } from "./choose-version.ts";

const orders = Array.from({ length: 4_000 }, (_, number) => `01JABCDEFGHJKMNPQRSTVW${number}`);
const share = (percent: number) => orders.filter((id) => chooseVersion({ provider: "acme", version: 3, candidate: 4, percent }, id) === 4);

test("a candidate gets its share of new orders, and none in shadow", () => {
  expect(share(0)).toEqual([]);
  expect(share(100)).toHaveLength(orders.length);
  expect(share(10).length / orders.length).toBeGreaterThan(0.08);
  expect(share(10).length / orders.length).toBeLessThan(0.12);
});

test("an order of a small share is in every larger one", () => {
  const larger = new Set(share(50));
  expect(share(20).every((id) => larger.has(id))).toBe(true);
});

test("without a candidate every order uses the current version", () => {
  expect(chooseVersion({ provider: "acme", version: 3, candidate: null, percent: 50 }, "01J")).toBe(3);
});
