import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import type { JsonValue } from "./strict-json.ts";

const values = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<JsonValue>;

/** The same value with the keys of every object in reverse order. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [name, reversed(item)] as const)
      .reverse(),
  );
}

test("a value has the same text whatever the order of its keys, and the text parses back to the value", () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(reversed(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("values with equal text are equal", () => {
  const small = fc.oneof(
    fc.constantFrom<JsonValue>([], {}, [[]], [{}], "", 0, "0", null, "null", [0], ["0"], { a: 0 }, { a: "0" }, { "a,b": 0 }),
    values,
  );
  fc.assert(
    fc.property(small, small, (one, other) => {
      fc.pre(canonicalJson(one) === canonicalJson(other));
      expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(other)));
    }),
    { numRuns: 30, maxSkipsPerRun: 2_000 },
  );
});

test("keys sort by code unit, without spaces", () => {
  expect(canonicalJson({ b: 1, a: [{ z: null, _: "x" }], B: true, é: 1, "10": 1, "9": 2 })).toBe(
    `{"10":1,"9":2,"B":true,"a":[{"_":"x","z":null}],"b":1,"é":1}`,
  );
});
