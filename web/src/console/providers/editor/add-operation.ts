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
