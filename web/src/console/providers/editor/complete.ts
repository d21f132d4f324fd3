import { type CursorContext, contextAt } from "./cursor-context.ts";
import { type JsonNode, memberOf, nodeAt, readTree } from "./json-tree.ts";
import { placeholderNames } from "./placeholders.ts";
import { formsOf, helpFor, type Schema, schemasAt, typesOf, wordsOf } from "./schema.ts";

export type Proposal = {
  readonly label: string;
  readonly help: string;
  /** The text that replaces the token. */
  readonly insert: string;
  /** Where the cursor is afterwards, counted from the beginning of the inserted text. */
  readonly cursor: number;
  readonly isRequired: boolean;
};

export type Proposals = { readonly from: number; readonly to: number; readonly typed: string; readonly options: readonly Proposal[] };

/** What the schema allows at a position of a description; null when nothing can be proposed. */
export function proposalsAt(root: Schema, text: string, position: number): Proposals | null {
  const context = contextAt(text, position);
  if (context === null) return null;
  const tree = readTree(text);
  // The schema describes descriptions; settings of other connectors have other fields.
  if ((memberOf(tree, "connector")?.node?.scalar ?? "description") !== "description") return null;
  const placeholders = context.kind === "value" ? placeholderProposals(root, context, tree, position) : null;
  if (placeholders !== null) return placeholders;
  const options = context.kind === "name" ? nameProposals(root, context, tree, text) : valueProposals(root, context, tree);
  return options.length === 0 ? null : { from: context.from, to: context.to, typed: context.typed, options };
}

function nameProposals(root: Schema, context: CursorContext, tree: JsonNode | null, text: string): readonly Proposal[] {
  const object = nodeAt(tree, context.steps);
  const taken = new Set(object?.members.filter(({ from }) => from !== context.from).map(({ name }) => name));
  const after = text.slice(context.to);
  const found = new Map<string, Proposal>();
  for (const form of schemasAt(root, context.steps, tree)) {
    for (const [name, part] of [...Object.entries(form.properties ?? {}), ...patternNames(form)]) {
      if (taken.has(name) || found.has(name)) continue;
      const isRequired = form.required?.includes(name) ?? false;
      found.set(name, { label: name, help: helpText(formsOf(root, part, null)), isRequired, ...written(root, name, part, after) });
    }
  }
  return [...found.values()];
}

/** Names of a map whose pattern begins with a list of words, such as those of samples. */
function patternNames(form: Schema): readonly (readonly [string, Schema])[] {
  const words = /^\^\(\?:([a-z_|]+)\)/.exec(form.propertyNames?.pattern ?? "")?.[1]?.split("|") ?? [];
  const part = typeof form.additionalProperties === "object" ? form.additionalProperties : {};
  return words.map((word) => [word, part] as const);
}

/** The name with the beginning of its value, unless a value follows already. */
function written(root: Schema, name: string, part: Schema, after: string): Pick<Proposal, "insert" | "cursor"> {
  const quoted = JSON.stringify(name);
  if (/^\s*:/.test(after)) return { insert: quoted, cursor: quoted.length };
  const { value, cursor } = beginning(formsOf(root, part, null));
  const comma = /^\s*"/.test(after) ? "," : "";
  return { insert: `${quoted}: ${value}${comma}`, cursor: quoted.length + 2 + cursor };
}

const BEGINNINGS: Readonly<Record<string, string>> = { object: "{}", array: "[]", string: '""' };

function beginning(forms: readonly Schema[]): { readonly value: string; readonly cursor: number } {
  const [first = {}] = forms;
  if (forms.length === 1 && first.const !== undefined) {
    const value = JSON.stringify(first.const);
    return { value, cursor: value.length };
  }
  const value = BEGINNINGS[typesOf(first)[0] ?? ""] ?? "";
  return { value, cursor: value === "" ? 0 : 1 };
}

function valueProposals(root: Schema, context: CursorContext, tree: JsonNode | null): readonly Proposal[] {
  const found = new Map<string, Proposal>();
  // The value that is written is no choice between the alternatives: it is what shall be replaced.
  const forms = formsAround(root, context, tree);
  for (const form of forms) {
    for (const word of wordsOf(form)) {
      const insert = JSON.stringify(word);
      found.set(insert, { label: String(word), help: form.description ?? "", insert, cursor: insert.length, isRequired: false });
    }
  }
  return [...found.values()];
}

function formsAround(root: Schema, { steps }: CursorContext, tree: JsonNode | null): readonly Schema[] {
  const last = steps.at(-1);
  const parent = nodeAt(tree, steps.slice(0, -1));
  if (last === undefined || parent === null) return schemasAt(root, steps, tree);
  const others = { ...parent, members: parent.members.filter((member) => member.name !== last), items: [] };
  return schemasAt(root, steps, withNode(tree, steps.slice(0, -1), others));
}

/** The tree with another node at a path. */
function withNode(node: JsonNode | null, [step, ...rest]: readonly (string | number)[], other: JsonNode): JsonNode | null {
  if (step === undefined) return other;
  if (node === null) return null;
  if (typeof step === "number") {
    return { ...node, items: node.items.map((item, index) => (index === step ? (withNode(item, rest, other) ?? item) : item)) };
  }
  return { ...node, members: node.members.map((one) => (one.name === step ? { ...one, node: withNode(one.node, rest, other) } : one)) };
}

/** After a brace in a text: the placeholders that the description itself defines, and those of every order. */
function placeholderProposals(root: Schema, context: CursorContext, tree: JsonNode | null, position: number): Proposals | null {
  const typed = context.inQuotes ? /\{([\w.]*)$/.exec(context.typed)?.[1] : undefined;
  if (typed === undefined) return null;
  const forms = schemasAt(root, context.steps, tree);
  if (!forms.some(({ description = "" }) => description.includes("{"))) return null;
  const names = placeholderNames(tree);
  const options = names.map((name) => ({ label: name, help: "", insert: `${name}}`, cursor: name.length + 1, isRequired: false }));
  return { from: position - typed.length, to: position, typed, options };
}

function helpText(forms: readonly Schema[]): string {
  const help = helpFor(forms);
  return help === null ? "" : [help.text, ...help.facts].filter((line) => line !== "").join("\n");
}
