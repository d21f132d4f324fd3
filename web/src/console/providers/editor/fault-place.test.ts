import { expect, test } from "vitest";
import { placeOf, rangeOfPath } from "./fault-place.ts";
import { findSyntaxFault } from "./json-syntax.ts";
import { readTree, stepsAt } from "./json-tree.ts";

const TEXT = `{
  "version": 2,
  "codes": { "operators": { "values": { "AT": "1" } } },
  "operations": {
    "recharge.pay": {
      "outcome": [
        { "when": { "data.state": "OK" }, "means": "success" },
        { "when": { "data.state": "NO" }, "means": "nothing" }
      ],
      "samples": { "declined.float": { "body": { "list": [1, "x"] } } }
    },
    "recharge": 5
  }
}`;
const tree = readTree(TEXT);
const at = (path: string) => {
  const { from, to } = rangeOfPath(tree, path);
  return TEXT.slice(from, to);
};

test("a fault's path leads to its place, although names contain points", () => {
  expect(at("version")).toBe('"version": 2');
  expect(at("operations.recharge.pay.outcome[1].means")).toBe('"means": "nothing"');
  expect(at("operations.recharge.pay.outcome[0].when.data.state")).toBe('"data.state": "OK"');
  expect(at("operations.recharge.pay.samples.declined.float.body.list[1]")).toBe('"x"');
  expect(at("operations.recharge.pay.samples.declined.float.body.list.1")).toBe('"x"');
  expect(at("operations.recharge")).toBe('"recharge": 5');
  expect(at("codes.operators.values.AT")).toBe('"AT": "1"');
});

test("a missing field is shown at the nearest place that is there", () => {
  expect(at("operations.recharge.pay.request")).toBe('"recharge.pay"');
  expect(at("operations.recharge.pay.outcome[7].means")).toBe('"outcome"');
  expect(at("base_url")).toBe("{");
  expect(at("")).toBe("{");
  expect(rangeOfPath(readTree(""), "version")).toEqual({ from: 0, to: 1 });
});

test("lines and columns count from 1", () => {
  expect(placeOf(TEXT, 0)).toEqual({ line: 1, column: 1 });
  expect(placeOf(TEXT, rangeOfPath(tree, "operations.recharge.pay.outcome[1].means").from)).toEqual({ line: 8, column: 43 });
});

test("a position leads to the path of what is there", () => {
  expect(stepsAt(tree, TEXT.indexOf('"nothing"') + 2)).toEqual(["operations", "recharge.pay", "outcome", 1, "means"]);
  expect(stepsAt(tree, TEXT.indexOf('"codes"') + 2)).toEqual(["codes"]);
  expect(stepsAt(tree, TEXT.length)).toEqual([]);
});

test.each([
  ["{ not JSON", 2, "A name in double quotes"],
  ['{"a": 1,}', 7, "There must be no comma before }"],
  ['{"a": [1,\n]}', 8, "There must be no comma before ]"],
  ['{"a": 1\n"b": 2}', 8, "A comma or } is missing"],
  ['{"a" 1}', 5, "A colon is missing"],
  ['{"a": }', 6, "A value is missing"],
  ['{"a": yes}', 6, "Texts must be in double quotes"],
  ['{"a": 01}', 6, "Texts must be in double quotes"],
  ['{"a": "x\n"}', 6, "This text has no closing quote"],
  ['{"a": 1', 7, "A } is missing"],
  ["{} x", 3, "The text must end"],
  ["", 0, "A value is missing"],
])("the syntax error of %j is found at its place", (text, position, message) => {
  const fault = findSyntaxFault(text);
  expect(() => JSON.parse(text)).toThrow();
  expect(fault).toEqual({ at: position, message: expect.stringContaining(message) });
});

test.each([TEXT, "{}", "[]", ' {"a": [1.5e3, -0, true, null, "\\u0041\\n"]} '])("%j has no syntax error", (text) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(findSyntaxFault(text)).toBeNull();
});
