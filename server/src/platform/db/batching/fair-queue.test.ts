import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

function queueOf(items: readonly (readonly [owner: string, item: number])[]) {
  const queue = createFairQueue<string>();
  for (const [owner, item] of items) queue.add(owner, `${owner}${item}`);
  return queue;
}

test("one owner's items are taken in order of arrival", () => {
  const queue = queueOf([1, 2, 3, 4, 5].map((item) => ["a", item]));
  expect([queue.take(2), queue.take(2), queue.take(2), queue.take(2)]).toEqual([["a1", "a2"], ["a3", "a4"], ["a5"], []]);
});

test("an owner with one item does not wait behind another's thousand", () => {
  const queue = queueOf(Array.from({ length: 1_000 }, (_, item) => ["greedy", item] as const));
  queue.add("modest", "modest");
  expect(queue.ahead("modest")).toBeLessThan(5);
  expect(queue.take(2)).toContain("modest");
});

test("owners take turns from one batch to the next", () => {
  const queue = queueOf(["a", "b", "c"].flatMap((owner) => [1, 2, 3].map((item) => [owner, item] as const)));
  expect(queue.take(2)).toEqual(["a1", "b1"]);
  expect(queue.take(2)).toEqual(["c1", "a2"]);
  expect(queue.take(2)).toEqual(["b2", "c2"]);
  expect(queue.take(9)).toEqual(["a3", "b3", "c3"]);
});

test("no item is lost or duplicated, and none waits longer than announced", () => {
  const owners = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(owners, fc.integer({ min: 1, max: 7 }), fc.constantFrom("a", "b", "c", "d", "e"), (added, most, newcomer) => {
      const queue = queueOf(added.map((owner, item) => [owner, item]));
      const ahead = queue.ahead(newcomer);
      queue.add(newcomer, "newcomer");
      expect(queue.size()).toBe(added.length + 1);
      const taken: string[] = [];
      while (queue.size() > 0) taken.push(...queue.take(most));
      expect(taken.toSorted()).toEqual([...added.map((owner, item) => `${owner}${item}`), "newcomer"].toSorted());
      // The last owner may be one round late, because its line starts at the end of the turn.
      expect(Math.floor(taken.indexOf("newcomer") / most)).toBeLessThanOrEqual(Math.ceil((ahead + 5) / most));
    }),
  );
});
