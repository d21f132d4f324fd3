import { expect, test } from "vitest";
import { createTraffic, isWorthAClaim, roomOf } from "./traffic.ts";

test("as much again is claimed ahead while answers come in, and nothing ahead while none do", () => {
  const traffic = createTraffic();
  expect(roomOf(traffic, 256)).toBe(512);
  traffic.unanswered = 256;
  expect(roomOf(traffic, 256)).toBe(256);
  traffic.isFlowing = false;
  expect(roomOf(traffic, 256)).toBe(0);
});

test("where there is more than was claimed, the next claim waits for freeSlots; where there is not, it does not wait", () => {
  const traffic = { ...createTraffic(), unanswered: 257 };
  expect(isWorthAClaim(traffic, 256)).toBe(true);
  traffic.isFull = true;
  expect(isWorthAClaim(traffic, 256)).toBe(false);
  traffic.unanswered = 256;
  expect(isWorthAClaim(traffic, 256)).toBe(true);
});
