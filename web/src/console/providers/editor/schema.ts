import type { JsonNode, Step } from "./json-tree.ts";
import { memberOf } from "./json-tree.ts";

/** The parts of JSON Schema that the published schema of descriptions uses. */
export type Schema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

/** The forms that the schema allows at a path. What is written already chooses between alternatives. */
export function schemasAt(root: Schema, steps: readonly Step[], tree: JsonNode | null): readonly Schema[] {
  let [forms, node] = [formsOf(root, root, tree), tree];
  for (const step of steps) {
    const next: JsonNode | null = typeof step === "number" ? (node?.items[step] ?? null) : (memberOf(node, step)?.node ?? null);
    forms = forms.flatMap((form) => {
      const below = partOf(form, step);
      return below === null ? [] : formsOf(root, below, next);
    });
    node = next;
  }
  return forms;
}

function partOf(form: Schema, step: Step): Schema | null {
  if (typeof step === "number") return form.items ?? null;
  const own = form.properties?.[step];
  if (own !== undefined) return own;
  return typeof form.additionalProperties === "object" ? form.additionalProperties : null;
}

/** Follows references and takes alternatives apart. */
export function formsOf(root: Schema, schema: Schema, node: JsonNode | null): readonly Schema[] {
  if (schema.$ref !== undefined) {
    const { $ref, ...own } = schema;
    return formsOf(root, { ...root.$defs?.[$ref.split("/").at(-1) ?? ""], ...own }, node);
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined) return [schema];
  const { description } = schema;
  const forms = branches.flatMap((branch) => formsOf(root, { ...(description === undefined ? {} : { description }), ...branch }, node));
  const fitting = node === null ? forms : forms.filter((form) => canBe(form, node));
  return fitting.length === 0 ? forms : fitting;
}

function canBe(form: Schema, node: JsonNode): boolean {
  const types = typesOf(form);
  if (types.length > 0 && !types.includes(node.kind)) return false;
  return Object.entries(form.properties ?? {}).every(([name, part]) => {
    const written = memberOf(node, name)?.node;
    return part.const === undefined || !written || written.scalar === "" || written.scalar === part.const;
  });
}

export function typesOf({ type }: Schema): readonly string[] {
  const types = type === undefined ? [] : [type].flat();
  return types.map((name) => (name === "integer" ? "number" : name));
}

/** Words that a form allows as its whole value. */
export function wordsOf(form: Schema): readonly unknown[] {
  if (form.const !== undefined) return [form.const];
  if (form.enum !== undefined) return form.enum;
  return typesOf(form).includes("boolean") ? [true, false] : [];
}

/** What the schema says about a path, for people. */
export function helpFor(forms: readonly Schema[]): { readonly text: string; readonly facts: readonly string[] } | null {
  const texts = [...new Set(forms.flatMap(({ description }) => description ?? []))];
  const types = [...new Set(forms.flatMap(typesOf))];
  const words = [...new Set(forms.flatMap((form) => (form.const !== undefined || form.enum !== undefined ? wordsOf(form) : [])))];
  const first = forms.find((form) => form.default !== undefined)?.default;
  const facts = [
    ...(types.length > 0 ? [`Type: ${types.join(" or ")}`] : []),
    ...(words.length > 0 ? [`One of: ${words.map(String).join(", ")}`] : []),
    ...(first !== undefined ? [`Default: ${JSON.stringify(first)}`] : []),
  ];
  return texts.length + facts.length === 0 ? null : { text: texts.join(" "), facts };
}
