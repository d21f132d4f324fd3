import fc from "fast-check";
import { expect, test } from "vitest";
import { orderIdAt, randomIds, timeOfId } from "./ids.ts";
import { isReference } from "./reference.ts";

const ids = randomIds();
const NOW = 1_800_000_000_000;
const COUNT = 20_000;

test.each<readonly [name: string, make: () => string, form: RegExp]>([
  ["account", () => ids.account(), /^A[0-9A-HJKMNP-TV-Z]{11}$/],
  ["order", () => ids.order(NOW), /^[A-Z0-9]{12,32}$/],
  ["request", () => ids.request(), /^[0-9A-HJKMNP-TV-Z]{20}$/],
  ["entry", () => ids.entry(NOW), /^[A-Z0-9]{18}$/],
  ["operator key", () => ids.operatorKey(), /^K[0-9A-HJKMNP-TV-Z]{11}$/],
  ["secret", () => ids.secret("tok_live_"), /^tok_live_[A-Za-z0-9_-]{43}$/],
])("of twenty thousand ids of one moment none is there twice, and each has its form: %s", (_name, make, form) => {
  const made = Array.from({ length: COUNT }, make);
  expect(new Set(made).size).toBe(COUNT);
  expect(made.filter((id) => !form.test(id))).toEqual([]);
});

test("ids of two processes do not meet", () => {
  const other = randomIds();
  const made = Array.from({ length: COUNT }, () => [ids.order(NOW), other.order(NOW)]).flat();
  expect(new Set(made).size).toBe(2 * COUNT);
});

test("ids with a time in front sort by it", () => {
  const time = fc.integer({ min: 0, max: 32 ** 9 });
  fc.assert(
    fc.property(time, time, (one, other) => {
      fc.pre(one !== other);
      expect(ids.order(one) < ids.order(other)).toBe(one < other);
    }),
  );
});

test.each([
  ["A", true],
  ["a.B_c:d-9", true],
  ["x".repeat(64), true],
  ["x".repeat(65), false],
  ["", false],
  ["a b", false],
  ["a&b", false],
  ["a=b", false],
  ["a\n", false],
  ["é", false],
  [7, false],
  [null, false],
  [["A"], false],
])("%j as a client's reference: %s", (value, valid) => {
  expect(isReference(value)).toBe(valid);
});

test("an id tells when it was made", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 32 ** 9 }), (time) => {
      expect([timeOfId(ids.order(time)), timeOfId(ids.entry(time)), timeOfId(orderIdAt(time))]).toEqual([time, time, time]);
    }),
  );
});
