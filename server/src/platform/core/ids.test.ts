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
])("twenty thousand ids of one millisecond are unique and well-formed: %s", (_name, make, form) => {
  const made = Array.from({ length: COUNT }, make);
  expect(new Set(made).size).toBe(COUNT);
  expect(made.filter((id) => !form.test(id))).toEqual([]);
});

test("ids of two processes do not collide", () => {
  const other = randomIds();
  const made = Array.from({ length: COUNT }, () => [ids.order(NOW), other.order(NOW)]).flat();
  expect(new Set(made).size).toBe(2 * COUNT);
});

test("ids with a time prefix sort by time", () => {
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

test("the time can be read from an id", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 32 ** 9 }), (time) => {
      expect([timeOfId(ids.order(time)), timeOfId(ids.entry(time)), timeOfId(orderIdAt(time))]).toEqual([time, time, time]);
    }),
  );
});
