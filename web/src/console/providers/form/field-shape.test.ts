import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type JsonNode, memberOf, readTree } from "../editor/json-tree.ts";
import type { Schema } from "../editor/schema.ts";
import { alternativesOf, initialValue, resolveField } from "./field-shape.ts";
import { formSections, sectionOfPath } from "./sections.ts";

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), "utf8");
const SCHEMA = JSON.parse(read("contract/provider-description.schema.json")) as Schema;
// Together they use every part of the language.
const EXAMPLES = ["docs/examples/providers/rupeelink.json", "connectors/shipped/eko.json", "connectors/shipped/seatseller.json"];

/** Walks a description along the form and lists what the form cannot show. */
function unshown(schema: Schema, node: JsonNode, path: string): readonly string[] {
  const resolved = resolveField(SCHEMA, schema, node);
  if (resolved === null) return [path];
  const { shape } = resolved;
  switch (shape.kind) {
    case "group":
      return node.members.flatMap((member) => {
        const part = shape.fields[member.name];
        return part === undefined || member.node === null
          ? [`${path}.${member.name}`]
          : unshown(part, member.node, `${path}.${member.name}`);
      });
    case "map":
      return node.members.flatMap((member) =>
        member.node === null ? [path] : unshown(shape.value, member.node, `${path}.${member.name}`),
      );
    case "list":
      return node.items.flatMap((item, index) => unshown(shape.item, item, `${path}.${index}`));
    case "choice":
      return shape.words.includes(node.scalar) ? [] : [path];
    default:
      return node.kind === "object" || node.kind === "array" ? [path] : [];
  }
}

test.each(EXAMPLES)("the form shows every part of %s", (file) => {
  const tree = readTree(read(file));
  if (tree === null) throw new Error("It is no JSON.");
  expect(unshown(SCHEMA, tree, "")).toEqual([]);
});

test("every field of the schema is in one section, and operations have their own", () => {
  const fields = formSections(SCHEMA).flatMap((section) => section.fields);
  const known = Object.keys(SCHEMA.properties ?? {}).filter((name) => !["$schema", "version", "operations"].includes(name));
  expect([...fields].sort()).toEqual(known.sort());
  expect(sectionOfPath("callbacks[0].auth")).toBe("Callbacks");
  expect(sectionOfPath("operations.recharge.pay.request")).toBeNull();
  expect(sectionOfPath("colour")).toBe("Connection");
});

test("a rule is one of the meanings of the schema, and changing the meaning keeps its conditions", () => {
  const rule = SCHEMA.$defs?.["DescriptionTransaction"]?.properties?.["outcome"]?.items ?? {};
  const alternatives = alternativesOf(SCHEMA, rule);
  expect(alternatives.map(({ label }) => label)).toEqual(["Success", "Declined", "Pending", "Unknown", "Continue"]);
  expect(resolveField(SCHEMA, rule, readTree('{ "when": {}, "means": "pending" }'))?.chosen).toBe(2);
  const declined = alternatives[1]?.schema ?? {};
  const earlier = { when: { status: "FAILED" }, means: "success", operator_ref_optional: true };
  expect(initialValue(SCHEMA, declined, earlier)).toEqual({ when: { status: "FAILED" }, means: "declined" });
});

test("a condition can be a text, a number, a list and each kind of comparison", () => {
  const condition = SCHEMA.$defs?.["DescriptionConditions"]?.additionalProperties;
  if (typeof condition !== "object") throw new Error("Conditions have no form.");
  const labels = alternativesOf(SCHEMA, condition).map(({ label }) => label);
  expect(labels).toEqual([
    ...["Text", "Number", "Yes or no", "List", "Is present or absent", "Is not", "Starts with", "Contains", "Matches"],
  ]);
  const kindOf = (text: string) => labels[resolveField(SCHEMA, condition, readTree(text))?.chosen ?? -1];
  expect(["7", '"7"', "[7]", '{ "not": 7 }', '{ "matches": "^7" }'].map(kindOf)).toEqual(["Number", "Text", "List", "Is not", "Matches"]);
});

test("a field that is added begins with its required parts", () => {
  const request = SCHEMA.$defs?.["DescriptionRequest"] ?? {};
  expect(initialValue(SCHEMA, request)).toEqual({ url: "" });
  expect(initialValue(SCHEMA, SCHEMA.properties?.["login"] ?? {})).toMatchObject({ request: { url: "" }, token: "" });
  expect(memberOf(readTree(JSON.stringify(initialValue(SCHEMA, SCHEMA.properties?.["reference"] ?? {}))), "length")?.node?.scalar).toBe(8);
});
