import { expect, test } from "vitest";
import { createTraffic, freeSlotsOf, shouldClaim } from "./traffic.ts";

test("callbacks are claimed ahead only while answers arrive", () => {
  const traffic = createTraffic();
  expect(freeSlotsOf(traffic, 256)).toBe(512);
  traffic.unanswered = 256;
  expect(freeSlotsOf(traffic, 256)).toBe(256);
  traffic.isFlowing = false;
  expect(freeSlotsOf(traffic, 256)).toBe(0);
});

test("the next claim waits for enough free slots only when more callbacks are due", () => {
  const traffic = { ...createTraffic(), unanswered: 257 };
  expect(shouldClaim(traffic, 256)).toBe(true);
  traffic.isFull = true;
  expect(shouldClaim(traffic, 256)).toBe(false);
  traffic.unanswered = 256;
  expect(shouldClaim(traffic, 256)).toBe(true);
});
