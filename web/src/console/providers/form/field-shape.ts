import type { JsonNode } from "../editor/json-tree.ts";
import { formsOf, type Schema, typesOf } from "../editor/schema.ts";
import { labelOf } from "./labels.ts";

/** One way to write a value, where the schema allows several. */
export type Alternative = { readonly label: string; readonly schema: Schema };

/** How a value is edited in the form. */
export type FieldShape =
  | { readonly kind: "choice"; readonly words: readonly unknown[]; readonly fallback: unknown }
  | { readonly kind: "boolean"; readonly fallback: unknown }
  | { readonly kind: "number"; readonly fallback: unknown; readonly least: number | undefined; readonly most: number | undefined }
  | { readonly kind: "text"; readonly fallback: unknown; readonly takesVariables: boolean; readonly isLong: boolean }
  | { readonly kind: "null" }
  | { readonly kind: "list"; readonly item: Schema }
  | { readonly kind: "map"; readonly value: Schema; readonly names: Schema }
  | { readonly kind: "group"; readonly fields: Readonly<Record<string, Schema>>; readonly required: readonly string[] };

export type Resolved = {
  readonly shape: FieldShape;
  readonly help: string;
  /** All ways to write the value; one where there is no choice. */
  readonly alternatives: readonly Alternative[];
  /** The position of the one that is written. */
  readonly chosen: number;
};

/** Resolves a part of the schema for what is written there; null for a part that a form cannot show. */
export function resolveField(root: Schema, schema: Schema, node: JsonNode | null): Resolved | null {
  const alternatives = alternativesOf(root, schema);
  const chosen = node === null ? 0 : closest(alternatives, node);
  const form = alternatives[chosen]?.schema;
  const shape = form === undefined ? null : shapeOf(form);
  if (shape === null || form === undefined) return null;
  return { shape, help: schema.description ?? form.description ?? "", alternatives, chosen };
}

// Parts of the schema are the same objects each time, and a form asks for hundreds of them after each key.
const resolvedParts = new WeakMap<Schema, readonly Alternative[]>();

/** Every way to write a value, each with a name of its own. */
export function alternativesOf(root: Schema, schema: Schema): readonly Alternative[] {
  const known = resolvedParts.get(schema) ?? resolveAlternatives(root, schema);
  resolvedParts.set(schema, known);
  return known;
}

function resolveAlternatives(root: Schema, schema: Schema): readonly Alternative[] {
  const forms = formsOf(root, schema, null).flatMap(oneForEachType);
  const found = new Map<string, Alternative>();
  for (const form of forms) {
    const label = alternativeLabel(form);
    if (!found.has(label)) found.set(label, { label, schema: form });
  }
  return [...found.values()];
}

function oneForEachType(form: Schema): readonly Schema[] {
  return Array.isArray(form.type) ? form.type.map((type: string) => ({ ...form, type })) : [form];
}

const TYPE_LABELS: Readonly<Record<string, string>> = {
  string: "Text",
  number: "Number",
  boolean: "Yes or no",
  null: "Empty",
  array: "List",
  object: "Named values",
};

/** The word that tells this form from the others: a constant, or a field that only it has. */
function alternativeLabel(form: Schema): string {
  const constant = Object.values(form.properties ?? {}).find((part) => part.const !== undefined)?.const;
  if (typeof constant === "string") return labelOf(constant);
  const [name] = form.properties === undefined ? [] : [...(form.required ?? []), ...Object.keys(form.properties)];
  return name === undefined ? (TYPE_LABELS[typesOf(form)[0] ?? ""] ?? "Value") : labelOf(name);
}

function closest(alternatives: readonly Alternative[], node: JsonNode): number {
  const costs = alternatives.map(({ schema }) => distance(schema, node));
  return costs.indexOf(Math.min(...costs));
}

/** How much of what is written does not fit a form. */
function distance(form: Schema, node: JsonNode): number {
  const types = typesOf(form);
  if (types.length > 0 && !types.includes(node.kind)) return 1_000;
  const { properties = {}, required = [], additionalProperties } = form;
  const has = (name: string) => node.members.some((member) => member.name === name);
  const unknown = additionalProperties === false ? node.members.filter(({ name }) => properties[name] === undefined).length : 0;
  const other = node.members.filter(({ name, node: value }) => {
    const constant = properties[name]?.const;
    return constant !== undefined && value?.scalar !== constant;
  }).length;
  return unknown * 2 + required.filter((name) => !has(name)).length + other * 100;
}

// A sample may be as long as an answer, so it gets several lines.
const LONG = 10_000;

function shapeOf(form: Schema): FieldShape | null {
  const { default: fallback, description = "" } = form;
  if (form.const !== undefined) return { kind: "choice", words: [form.const], fallback };
  if (form.enum !== undefined) return { kind: "choice", words: form.enum, fallback };
  switch (typesOf(form)[0]) {
    case "boolean":
      return { kind: "boolean", fallback };
    case "number":
      return { kind: "number", fallback, least: form.minimum, most: form.maximum };
    case "string":
      return { kind: "text", fallback, takesVariables: description.includes("{"), isLong: (form.maxLength ?? 0) > LONG };
    case "null":
      return { kind: "null" };
    case "array":
      return form.items === undefined ? null : { kind: "list", item: form.items };
    case "object":
      return objectShape(form);
    default:
      return null;
  }
}

function objectShape(form: Schema): FieldShape | null {
  if (form.properties !== undefined) return { kind: "group", fields: form.properties, required: form.required ?? [] };
  if (typeof form.additionalProperties !== "object") return null;
  return { kind: "map", value: form.additionalProperties, names: form.propertyNames ?? {} };
}

/** What a new field begins with: its required parts, empty. What fits of an earlier value is kept. */
export function initialValue(root: Schema, schema: Schema, earlier: Readonly<Record<string, unknown>> = {}): unknown {
  const [form = {}] = alternativesOf(root, schema).map((one) => one.schema);
  if (form.const !== undefined) return form.const;
  if (form.default !== undefined && typeof form.default !== "object") return form.default;
  if (form.enum !== undefined) return form.enum[0];
  switch (typesOf(form)[0]) {
    case "boolean":
      return true;
    case "number":
      return form.minimum ?? 0;
    case "null":
      return null;
    case "array":
      return form.minItems && form.items ? [initialValue(root, form.items)] : [];
    case "object":
      return initialObject(root, form, earlier);
    default:
      return "";
  }
}

function initialObject(root: Schema, form: Schema, earlier: Readonly<Record<string, unknown>>): object {
  const { properties = {}, required = [] } = form;
  const kept = Object.entries(earlier).filter(([name]) => properties[name] !== undefined && properties[name].const === undefined);
  const fresh = required.flatMap((name) => {
    const part = properties[name];
    return part === undefined || kept.some(([one]) => one === name) ? [] : [[name, initialValue(root, part)] as const];
  });
  return Object.fromEntries([...kept, ...fresh]);
}
