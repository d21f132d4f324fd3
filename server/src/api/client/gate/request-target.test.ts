import fc from "fast-check";
import { expect, test } from "vitest";
import { parameter, parseQuery, pathFault, pathOf, withoutTrailingSlash } from "./request-target.ts";

test.each(["/", "/a", "/a/", "/api/corp/v1/recharge", "/a.b/..c/c..", "/...", "/a_b-c~d", "/a:b@c", "/a'(b)*"])(
  "the path %s is valid",
  (path) => {
    expect(pathFault(path)).toBeNull();
  },
);

test.each([
  "",
  "a",
  "*",
  "http://h/a",
  "//",
  "//a",
  "/a//b",
  "/.",
  "/..",
  "/a/.",
  "/a/..",
  "/./a",
  "/a/../b",
  "/%61",
  "/a%",
  "/a;b",
  "/a#b",
  "/a b",
  "/a\t",
  "/é",
  "/\x7f",
  "/a\0",
])("the path %j is refused", (path) => {
  expect(pathFault(path)).not.toBeNull();
});

test("exactly one trailing slash is removed, and never the only slash", () => {
  expect(["/a/", "/a", "/a//", "/"].map(withoutTrailingSlash)).toEqual(["/a", "/a", "/a/", "/"]);
});

test("the path ends at the first question mark", () => {
  expect(["/a", "/a?", "/a?b?c", "?a"].map(pathOf)).toEqual(["/a", "/a", "/a", ""]);
});

test.each([
  "?a=1&a=1",
  "?a&a",
  "?a[]=1",
  "?a.b=1",
  "?%61=1",
  "?=1",
  "?&",
  "?a=1&",
  "?&a=1",
  "?a=%",
  "?a=%1",
  "?a=%zz",
  "?a=%ff",
  "?a=%ed%a0%80",
  "?a=1#b",
  "?a=é",
  "?a b=1",
  "?a=\x80",
])("the query of %s is refused", (target) => {
  expect(parseQuery(`/p${target}`).fault).not.toBeNull();
});

test("a plus stays a plus, escapes are decoded, and a missing value is empty", () => {
  const parsed = parseQuery("/p?plus=a+b&mixed=a+b%20c&space=a%20b&both=%2B%20&none&empty=&equals=a=b&mark=?");
  expect(parsed.fault).toBeNull();
  const { query } = parsed;
  expect(Object.fromEntries(query.map(({ name, value }) => [name, value]))).toEqual({
    plus: "a+b",
    mixed: "a+b c",
    space: "a b",
    both: "+ ",
    none: "",
    empty: "",
    equals: "a=b",
    mark: "?",
  });
  expect(parameter(query, "plus")).toBe("a+b");
  expect(parameter(query, "constructor")).toBeUndefined();
});

test("valid parameters are read despite an invalid one, so that a refusal echoes the reference", () => {
  for (const text of ["urid=q1&a=%", "a[]=1&urid=q1", "urid=q1&urid=q2"]) {
    const parsed = parseQuery(`/p?${text}`);
    expect(parsed.fault).not.toBeNull();
    expect(parameter(parsed.query, "urid")).toBe("q1");
  }
});

test("any target is either refused or split into distinct, allowed names", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab_1=&?%+#[].é 2fF") }), (text) => {
      const parsed = parseQuery(`/p?${text}`);
      const names = parsed.query.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]+$/);
      for (const { value } of parsed.query) expect(value.isWellFormed()).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a query with more than a hundred parameters is refused, and the first ones are still read", () => {
  const query = (count: number) => Array.from({ length: count }, (_, at) => `p${at}=${at}`).join("&");
  expect(parseQuery(`/x?${query(100)}`)).toMatchObject({ fault: null });
  const over = parseQuery(`/x?${query(3_000)}`);
  expect(over.fault).toBe("The query has more than 100 parameters.");
  expect([over.query.length, parameter(over.query, "p7")]).toEqual([101, "7"]);
});
