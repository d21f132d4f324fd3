import { expect, test } from "vitest";
import { createSendSlots } from "./send-slots.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Requests slots and records which requests got one. */
function crowd(count: number, slots: ReturnType<typeof createSendSlots>): readonly number[] {
  const inside: number[] = [];
  for (let one = 0; one < count; one++) void slots.acquire().then(() => inside.push(one));
  return inside;
}

test("slots are limited and given in the order of the requests", async () => {
  const slots = createSendSlots(2, 10);
  const inside = crowd(4, slots);
  await nextTurn();
  await nextTurn();
  expect(inside).toEqual([0, 1]);
  slots.release();
  await nextTurn();
  await nextTurn();
  expect(inside).toEqual([0, 1, 2]);
});

test("only a limited number of slots is given per event-loop turn, and every request gets one in the end", async () => {
  const slots = createSendSlots(100, 3);
  const inside = crowd(7, slots);
  const seen: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn();
    seen.push(inside.length);
  }
  expect(seen.every((count, turn) => count - (seen[turn - 1] ?? 0) <= 3)).toBe(true);
  expect(inside).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
