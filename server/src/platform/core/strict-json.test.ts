import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonValue, parseStrictJson } from "./strict-json.ts";

const read = (text: string) => parseStrictJson(Buffer.from(text));

/** A JSON tree whose objects are lists of pairs, so that a key can occur twice. */
type Tree =
  | string
  | number
  | boolean
  | null
  | { readonly list: readonly Tree[] }
  | { readonly pairs: readonly (readonly [string, Tree])[] };

const text = fc.string({ unit: "grapheme", maxLength: 6 });
const key = fc.oneof(fc.constantFrom("a", "b", "__proto__", "constructor", "", "a:b", `"`, "{"), text);
const { tree } = fc.letrec<{ tree: Tree; object: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.record({ list: fc.array(tie("tree"), { maxLength: 4 }) }),
    tie("object"),
  ),
  object: fc.record({ pairs: fc.array(fc.tuple(key, tie("tree")), { maxLength: 4 }) }),
}));
const object = fc.array(fc.tuple(key, tree), { maxLength: 5 }).map((pairs): Tree => ({ pairs }));

const isList = (value: Tree): value is { readonly list: readonly Tree[] } => typeof value === "object" && value !== null && "list" in value;
const isObject = (value: Tree): value is { readonly pairs: readonly (readonly [string, Tree])[] } =>
  typeof value === "object" && value !== null && "pairs" in value;

function write(value: Tree): string {
  if (isList(value)) return `[ ${value.list.map(write).join(" , ")}]`;
  if (isObject(value)) return `{${value.pairs.map(([name, item]) => `${escaped(name)} :${write(item)}`).join(",")}}`;
  return JSON.stringify(value);
}

// Writes the first character of a key as an escape, because two spellings of a key are the same key.
function escaped(name: string): string {
  const [first] = name;
  if (first === undefined || first.length > 1) return JSON.stringify(name);
  return `"\\u${first.charCodeAt(0).toString(16).padStart(4, "0")}${JSON.stringify(name.slice(1)).slice(1)}`;
}

function hasRepeatedKey(value: Tree): boolean {
  if (isList(value)) return value.list.some(hasRepeatedKey);
  if (!isObject(value)) return false;
  const names = value.pairs.map(([name]) => name);
  return new Set(names).size < names.length || value.pairs.some(([, item]) => hasRepeatedKey(item));
}

function holdsNul(value: Tree): boolean {
  if (isList(value)) return value.list.some(holdsNul);
  if (isObject(value)) return value.pairs.some(([name, item]) => name.includes("\0") || holdsNul(item));
  return typeof value === "string" && value.includes("\0");
}

test("an object is accepted only if no key is repeated at any depth, and then reads as JSON.parse reads it", () => {
  fc.assert(
    fc.property(object, (value) => {
      const written = write(value);
      const parsed = read(written);
      expect(parsed.ok).toBe(!hasRepeatedKey(value) && !holdsNul(value));
      if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(written));
    }),
    { numRuns: 500 },
  );
});

test("arbitrary bytes are either refused or read as JSON.parse reads them", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.json().map((json) => Buffer.from(json)),
  );
  fc.assert(
    fc.property(bytes, (sent) => {
      const parsed = parseStrictJson(sent);
      if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(Buffer.from(sent).toString()));
    }),
    { numRuns: 500 },
  );
});

test.each([1, 2, 31, 32, 33, 34, 500])("%i levels of nesting are read up to 32", (levels) => {
  const objects = `${`{"a":`.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
  const lists = `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`.replace(`:}`, ":0}");
  expect(read(objects).ok).toBe(levels <= 32);
  expect(read(lists).ok).toBe(levels <= 32);
});

test("a hundred thousand brackets are refused without deep recursion", () => {
  expect(read(`{"a":${"[".repeat(100_000)}`)).toEqual({ ok: false, why: "the body is nested deeper than 32 levels" });
  expect(read("{".repeat(100_000)).ok).toBe(false);
});

test.each<readonly [string, string]>([
  [`{"a":"\\u0000"}`, "a string holds a NUL or half of a surrogate pair"],
  [`{"\\u0000":1}`, "a string holds a NUL or half of a surrogate pair"],
  [`{"a":["\\ud800"]}`, "a string holds a NUL or half of a surrogate pair"],
  [`{"a":1,"\\u0061":2}`, "the body has a key twice"],
  [`{"a":{"b":[{"c":1,"c":1}]}}`, "the body has a key twice"],
  [`{"__proto__":1,"__proto__":2}`, "the body has a key twice"],
  ["[]", "the body is not a JSON object"],
  ["null", "the body is not a JSON object"],
  [`{"a":1`, "the body is not valid JSON"],
  ["", "the body is not valid JSON"],
  [`\ufeff{}`, "the body is not valid JSON"],
])("%j is refused because %s", (sent, why) => {
  expect(read(sent)).toEqual({ ok: false, why });
});

test("a field named __proto__ is an ordinary field", () => {
  const parsed = read(`{"__proto__":{"admin":true}}`);
  const value: Readonly<Record<string, JsonValue>> = parsed.ok ? parsed.value : {};
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(value["admin"]).toBeUndefined();
});

const many = (count: number, one: (at: number) => string) => Array.from({ length: count }, (_, at) => one(at)).join(",");

test.each([
  ["keys", `{${many(2_500, (at) => `"k${at}":1`)}}`],
  ["items", `{"a":[${many(2_500, () => "1")}]}`],
  ["empty objects", `{"a":[${many(1_500, () => "{}")}]}`],
])("a body with thousands of %s is refused", (_what, text) => {
  expect(read(text)).toEqual({ ok: false, why: "the body holds more than 2000 values" });
});

test("a thousand values, and commas in one long string, are read", () => {
  expect(read(`{"a":[${many(1_000, () => "1")}]}`).ok).toBe(true);
  expect(read(`{"pid":"${",".repeat(200_000)}"}`).ok).toBe(true);
});
