import { expect, test } from "vitest";
import { createClaims, freeSlotsOf, shouldClaim } from "./claimed-callbacks.ts";

test("callbacks are claimed ahead only while answers arrive", () => {
  const claims = createClaims();
  expect(freeSlotsOf(claims, 256)).toBe(512);
  claims.unanswered = 256;
  expect(freeSlotsOf(claims, 256)).toBe(256);
  claims.hasNewAnswer = false;
  expect(freeSlotsOf(claims, 256)).toBe(0);
});

test("the next claim waits for enough free slots only when more callbacks are due", () => {
  const claims = { ...createClaims(), unanswered: 257 };
  expect(shouldClaim(claims, 256)).toBe(true);
  claims.isFull = true;
  expect(shouldClaim(claims, 256)).toBe(false);
  claims.unanswered = 256;
  expect(shouldClaim(claims, 256)).toBe(true);
});
