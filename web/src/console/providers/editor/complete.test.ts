import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { proposalsAt } from "./complete.ts";
import { readTree } from "./json-tree.ts";
import { helpFor, type Schema, schemasAt } from "./schema.ts";

const SCHEMA = JSON.parse(
  readFileSync(new URL("../../../../../contract/provider-description.schema.json", import.meta.url), "utf8"),
) as Schema;

/** The proposals where the text has a bar. */
function at(marked: string) {
  const text = marked.replace("¦", "");
  const found = proposalsAt(SCHEMA, text, marked.indexOf("¦"));
  const applied = (label: string) => {
    const option = found?.options.find((one) => one.label === label);
    if (found === null || option === undefined) throw new Error(`${label} is not proposed.`);
    const start = text.slice(0, found.from) + option.insert.slice(0, option.cursor);
    return `${start}¦${option.insert.slice(option.cursor)}${text.slice(found.to)}`;
  };
  return { labels: found?.options.map(({ label }) => label) ?? [], applied, options: found?.options ?? [] };
}

test("the names of an object are proposed without those it has", () => {
  const { labels, options } = at('{ "version": 2, ¦ }');
  expect(labels).toContain("base_url");
  expect(labels).not.toContain("version");
  expect(options.find(({ label }) => label === "name")?.isRequired).toBe(true);
  expect(options.find(({ label }) => label === "amount")?.help).toContain("Amounts are never rounded.");
});

test("a name is written with the beginning of its value, and with a comma where another name follows", () => {
  expect(at("{ ¦ }").applied("base_url")).toBe('{ "base_url": "¦" }');
  expect(at('{ "oper¦" }').applied("operations")).toBe('{ "operations": {¦} }');
  expect(at('{ ¦\n "name": "x" }').applied("secrets")).toBe('{ "secrets": [¦],\n "name": "x" }');
  expect(at('{ "ver¦": 2 }').applied("version")).toBe('{ "version"¦: 2 }');
  expect(at("{ ve¦").applied("version")).toBe('{ "version": 2¦');
});

test("operations and their parts are proposed inside unfinished text", () => {
  expect(at('{ "operations": { "¦').labels).toEqual(expect.arrayContaining(["recharge.pay", "bills.fetch", "aeps.authenticate"]));
  expect(at('{ "operations": { "recharge.pay": { ¦').labels).toEqual(expect.arrayContaining(["request", "outcome", "status", "samples"]));
  expect(at('{ "operations": { "recharge.pay": { "samples": { ¦ } } } }').labels).toEqual([
    ...["success", "declined", "pending", "unknown", "continue"],
  ]);
});

test("what is written chooses between the forms of a rule", () => {
  const rule = (inner: string) => at(`{ "operations": { "recharge.pay": { "outcome": [ { ${inner} } ] } } }`);
  expect(rule('"means": "declined", ¦').labels).toEqual(["when", "decline", "failure"]);
  expect(rule('"means": "success", ¦').labels).not.toContain("failure");
  expect(rule('"means": "¦"').labels).toEqual(["success", "declined", "pending", "unknown", "continue"]);
  expect(rule('"means": "pending¦"').applied("declined")).toContain('"means": "declined"¦');
});

test("the words of a value are proposed, with and without quotes", () => {
  expect(at('{ "amount": ¦ }').applied("paise")).toBe('{ "amount": "paise"¦ }');
  expect(at('{ "amount": "pa¦" }').applied("paise")).toBe('{ "amount": "paise"¦ }');
  expect(at('{ "plain_http": ¦ }').labels).toEqual(["true", "false"]);
  expect(at('{ "computed": { "mark": { "kind": "hmac", "digest": "¦" } } }').labels).toContain("sha256");
});

test("after a brace the placeholders of the description are proposed", () => {
  const found = at('{ "secrets": ["pin"], "codes": { "operators": {} }, "headers": { "x": "Key {¦" } }');
  expect(found.labels).toEqual(expect.arrayContaining(["secret.pin", "code.operators", "reference"]));
  expect(found.labels).not.toContain("token");
  expect(found.applied("secret.pin")).toContain('"Key {secret.pin}¦"');
});

test("nothing is proposed after a value, outside the object, or for another connector", () => {
  for (const text of ['{ "amount": "paise" ¦ }', "¦", "{}¦", '{ "connector": "corprail", ¦ }']) expect(at(text).labels).toEqual([]);
});

test("the help of a place says what it means, its type and its default", () => {
  const text = '{ "amount": "paise", "read": { "format": "json" } }';
  expect(helpFor(schemasAt(SCHEMA, ["amount"], readTree(text)))).toEqual({
    text: "How {amount} is written. Amounts are never rounded.",
    facts: ["Type: string", "One of: two_places, four_places, shortest, whole, paise", 'Default: "two_places"'],
  });
  expect(helpFor(schemasAt(SCHEMA, ["read", "format"], readTree(text)))?.facts).toContain("Type: string");
  expect(helpFor(schemasAt(SCHEMA, ["nothing"], readTree(text)))).toBeNull();
});
