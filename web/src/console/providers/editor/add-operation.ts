import { type JsonNode, memberOf } from "./json-tree.ts";
import { formsOf, type Schema } from "./schema.ts";

/** The operations that the schema knows. */
export function operationNames(root: Schema): readonly string[] {
  return Object.keys(root.properties?.["operations"]?.properties ?? {});
}

// Rules that only some descriptions need.
const RARE: readonly unknown[] = ["continue", "unknown", "unavailable", "reversed"];

/** An operation to start from, with the parts that the schema has for it. */
export function skeletonOf(root: Schema, name: string): object {
  const parts = partsOf(root, root.properties?.["operations"]?.properties?.[name]);
  const action = name.split(".").at(-1) ?? name;
  const own = parts["status"] === undefined ? queryCall(action) : transactionCall(root, parts, `/${action}`);
  const status = parts["status"] && { status: transactionCall(root, partsOf(root, parts["status"]), `/${action}/status`) };
  return { ...own, ...status };
}

function partsOf(root: Schema, schema: Schema | undefined): Readonly<Record<string, Schema>> {
  return (schema && formsOf(root, schema, null)[0]?.properties) ?? {};
}

function queryCall(action: string): object {
  return { request: { url: `/${action}` }, value: {} };
}

function transactionCall(root: Schema, parts: Readonly<Record<string, Schema>>, url: string): object {
  const rule = parts["outcome"]?.items;
  const means = (rule ? formsOf(root, rule, null) : []).map((form) => form.properties?.["means"]?.const);
  const outcome = means
    .filter((word) => typeof word === "string" && !RARE.includes(word))
    .map((word) => ({ when: { status: String(word).toUpperCase() }, means: word }));
  return { request: { url, query: { ref: "{reference}" } }, outcome };
}

export type Insertion = { readonly from: number; readonly to: number; readonly insert: string };

const INDENT = 2;

/** The change of the text that adds an operation; null when the text has no place for it. */
export function insertionOf(tree: JsonNode | null, name: string, operation: object): Insertion | null {
  if (tree?.kind !== "object") return null;
  const operations = memberOf(tree, "operations");
  if (operations === null) return intoObject(tree, "operations", { [name]: operation }, INDENT);
  return operations.node?.kind === "object" ? intoObject(operations.node, name, operation, 2 * INDENT) : null;
}

function intoObject(object: JsonNode, name: string, value: object, depth: number): Insertion {
  const last = object.members.at(-1);
  const lines = `${JSON.stringify(name)}: ${JSON.stringify(value, null, INDENT)}`.replaceAll("\n", `\n${" ".repeat(depth)}`);
  const start = `${last === undefined ? "" : ","}\n${" ".repeat(depth)}`;
  if (last !== undefined) {
    const end = last.node?.to ?? last.to;
    return { from: end, to: end, insert: start + lines };
  }
  return { from: object.from, to: object.to, insert: `{${start}${lines}\n${" ".repeat(depth - INDENT)}}` };
}
