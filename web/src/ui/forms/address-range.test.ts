import { expect, test } from "vitest";
import { widthOf } from "./address-range.ts";

test.each([
  ["0.0.0.0/0", "everyone", "4,29,49,67,296"],
  ["128.0.0.0/1", "everyone", "2,14,74,83,648"],
  ["::/0", "everyone", "2^128"],
  ["2000::/3", "everyone", "2^125"],
  ["::ffff:0.0.0.0/96", "everyone", "4,29,49,67,296"],
  ["10.0.0.0/8", "wide", "1,67,77,216"],
  ["2400:4000::/22", "wide", "2^106"],
  ["203.0.113.0/24", "ordinary", "256"],
  ["203.0.113.7", "ordinary", "1"],
  ["2400:4000:1::/48", "ordinary", "2^80"],
  ["nonsense", "ordinary", "1"],
])("%s lets in %s (%s addresses)", (entry, kind, addresses) => {
  expect(widthOf(entry)).toEqual({ kind, addresses });
});
