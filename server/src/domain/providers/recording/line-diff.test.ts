import { expect, test } from "vitest";
import { differenceText } from "./difference-text.ts";
import { diffText } from "./line-diff.ts";
import { seededRandom } from "./seeded-random.ts";

test("changed, added and removed lines are marked, and lines far away are left out", () => {
  expect(diffText(["a", "b", "c", "d", "e", "f"], ["a", "b", "c", "x", "e", "f", "g"], 1)).toBe("  c\n- d\n+ x\n  e\n  f\n+ g");
  expect(diffText([], ["a"])).toBe("+ a");
  expect(diffText(["a"], ["a"])).toBe("");
});

test("a JSON body is shown by its members, unless only its bytes differ", () => {
  const difference = { operation: "recharge.pay", part: "status", request: 2 } as const;
  const lines = (body: string) => ["POST /pay", "", body];
  expect(differenceText({ ...difference, expected: lines('{"a":1,"b":2}'), found: lines('{"a":1,"b":3}') })).toBe(
    'recharge.pay.status, request 2:\n  {\n    "a": 1,\n-   "b": 2\n+   "b": 3\n  }',
  );
  expect(differenceText({ ...difference, expected: lines('{"a":1}'), found: lines('{"a": 1}') })).toContain('- {"a":1}\n+ {"a": 1}');
});

test("the same seed gives the same ids in the same order, and each is new", () => {
  const [one, other] = [seededRandom("5eed"), seededRandom("5eed")];
  const drawn = [one.uuid(), one.uuid(), one.bytes(40).toString("hex")];
  expect([other.uuid(), other.uuid(), other.bytes(40).toString("hex")]).toEqual(drawn);
  expect(new Set(drawn).size).toBe(3);
  expect(drawn[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
