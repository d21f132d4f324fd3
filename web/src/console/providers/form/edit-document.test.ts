import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdit, type Edit, moveUp, removeValue, renameMember, setDeep, setValue } from "./edit-document.ts";

const TEXT = '{\n  "version": 2, "base_url": "https://a.example",\n  "headers": { "x": "1" },\n  "own part": [ 1, { "a": null } ]\n}';

function after(text: string, edit: Edit | null): string {
  if (edit === null) throw new Error("There is no place for the change.");
  return applyEdit(text, edit);
}

test("a changed value leaves the rest of the text as it was written", () => {
  const text = '{ "name":"acme",\n\n    "base_url" : "https://a.example", "x_own": [1,2] }';
  expect(after(text, setValue(text, ["base_url"], "https://b.example"))).toBe(text.replace("a.example", "b.example"));
});

test("a new member is written on a line of its own, indented like its neighbours", () => {
  const text = '{\n  "version": 2,\n  "headers": {}\n}';
  const added = after(text, setValue(text, ["headers", "x-key"], "{secret.key}"));
  expect(added).toBe('{\n  "version": 2,\n  "headers": {\n    "x-key": "{secret.key}"\n  }\n}');
  expect(after(added, setValue(added, ["polling"], { every_seconds: 5 }))).toContain(',\n  "polling": {\n    "every_seconds": 5\n  }\n}');
});

test("a value without a parent, or whose parent is neither an object nor a list, has no place", () => {
  for (const text of ["", '{ "operations": 5 }', "{}"]) expect(setValue(text, ["operations", "recharge.pay"], {})).toBeNull();
});

test("a value deep in a part that is missing brings the part with it", () => {
  const text = '{ "operations": { "recharge.pay": {} } }';
  const steps = ["operations", "recharge.pay", "samples", "success"];
  const added = after(text, setDeep(text, steps, { body: "OK" }));
  expect(JSON.parse(added)).toEqual({ operations: { "recharge.pay": { samples: { success: { body: "OK" } } } } });
  expect(JSON.parse(after(added, setDeep(added, steps, 1)))).toMatchObject({ operations: { "recharge.pay": { samples: { success: 1 } } } });
});

test("the first, a middle and the last item are removed with their comma", () => {
  const text = '{ "a": [1, 2, 3] }';
  for (const index of [0, 1, 2]) {
    const rest = [1, 2, 3].filter((_, position) => position !== index);
    expect(JSON.parse(after(text, removeValue(text, ["a", index])))).toEqual({ a: rest });
  }
  expect(after('{"a":1}', removeValue('{"a":1}', ["a"]))).toBe("{}");
  expect(removeValue(text, ["b"])).toBeNull();
});

test("a member is renamed in its place, but not to a name that is in use", () => {
  const text = '{ "query": { "a": "1", "b": "2" } }';
  expect(after(text, renameMember(text, ["query", "a"], "ref"))).toBe(text.replace('"a"', '"ref"'));
  expect(renameMember(text, ["query", "a"], "b")).toBeNull();
});

test("a rule moves before the one above it", () => {
  const text = '[\n  { "means": "success" },\n  { "means": "pending" }\n]';
  expect(JSON.parse(after(text, moveUp(text, [1])))).toEqual([{ means: "pending" }, { means: "success" }]);
  expect(moveUp(text, [0])).toBeNull();
});

test("any sequence of changes to a description has the same result as the changes to its value", () => {
  const name = fc.constantFrom("base_url", "headers", "own part", "polling", 'quote"d');
  const change = fc.record({ name, value: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined)) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      let text = TEXT;
      const expected = JSON.parse(text) as Record<string, unknown>;
      for (const { name: key, value } of changes) {
        const edit = value === undefined ? removeValue(text, [key]) : setValue(text, [key], value);
        if (edit !== null) text = applyEdit(text, edit);
        if (value === undefined) delete expected[key];
        else expected[key] = JSON.parse(JSON.stringify(value));
      }
      expect(JSON.parse(text)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});
