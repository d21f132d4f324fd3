import { expect, test } from "vitest";
import { createPlaces } from "./places.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Takes as many places, and notes who got one. */
function crowd(count: number, places: ReturnType<typeof createPlaces>): readonly number[] {
  const inside: number[] = [];
  for (let one = 0; one < count; one++) void places.take().then(() => inside.push(one));
  return inside;
}

test("no more get a place than there are, first come first served", async () => {
  const places = createPlaces(2, 10);
  const inside = crowd(4, places);
  await nextTurn();
  await nextTurn();
  expect(inside).toEqual([0, 1]);
  places.leave();
  await nextTurn();
  await nextTurn();
  expect(inside).toEqual([0, 1, 2]);
});

test("in one turn of the event loop only so many get a place, and all do in the end", async () => {
  const places = createPlaces(100, 3);
  const inside = crowd(7, places);
  const seen: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn();
    seen.push(inside.length);
  }
  expect(seen.every((count, turn) => count - (seen[turn - 1] ?? 0) <= 3)).toBe(true);
  expect(inside).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
