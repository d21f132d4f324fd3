import { expect, test } from "vitest";
import { hasLimits, type KeyLimits, limitDetails, limitRefusal, NO_LIMITS, readLimits } from "./key-limits.ts";

const NOW = Date.parse("2026-11-17T10:00:00Z");
const limits = (some: Partial<KeyLimits>): KeyLimits => ({ ...NO_LIMITS, ...some });
const FROM = limits({ source_addresses: ["203.0.113.0/24", "2001:db8::/32"] });

test("a key without limits is accepted at any time and from any address", () => {
  expect(hasLimits(NO_LIMITS)).toBe(false);
  for (const address of ["203.0.113.9", "::1", null]) expect(limitRefusal(NO_LIMITS, NOW, address)).toBeNull();
});

test("a key is refused with 401 from the moment of its expiry on", () => {
  const key = limits({ expires_at: new Date(NOW) });
  expect(hasLimits(key)).toBe(true);
  expect(limitRefusal(key, NOW - 1, "::1")).toBeNull();
  for (const now of [NOW, NOW + 1]) expect(limitRefusal(key, now, "::1")).toMatchObject({ error: "unauthorized" });
});

test.each(["203.0.113.0", "203.0.113.255", "2001:db8:1::9", "::ffff:203.0.113.9"])("%s is in the key's ranges", (address) => {
  expect(limitRefusal(FROM, NOW, address)).toBeNull();
});

test.each(["203.0.114.0", "2001:db9::1", "::1", "text", null])("%s is refused, because it is not in the key's ranges", (address) => {
  expect(limitRefusal(FROM, NOW, address)).toMatchObject({ error: "forbidden", message: expect.stringContaining("may not be used from") });
});

test("an expired key does not tell a stranger which addresses it had", () => {
  expect(limitRefusal({ ...FROM, expires_at: new Date(NOW) }, NOW, "::1")).toMatchObject({ error: "unauthorized" });
});

test("an approved request has the limits that were asked for", () => {
  const all = limits({ role: "auditor", expires_at: new Date(NOW), source_addresses: ["203.0.113.0/24", "::1"] });
  for (const asked of [NO_LIMITS, all, FROM, limits({ role: "admin" })]) expect(readLimits(limitDetails(asked))).toEqual(asked);
  expect(limitDetails(NO_LIMITS)).toEqual({});
  expect(() => readLimits({ role: "root" })).toThrow("unknown role");
  expect(() => readLimits({ expires_at: "soon" })).toThrow("unreadable expiry");
});
