import { jsonLanguage } from "@codemirror/lang-json";

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>["topNode"];

export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** A JSON value with its position in the text. Text with syntax errors has a tree too, as far as it can be understood. */
export type JsonNode = {
  readonly kind: JsonKind;
  readonly from: number;
  readonly to: number;
  /** The value of a string, number, boolean or null. */
  readonly scalar: string | number | boolean | null;
  readonly members: readonly JsonMember[];
  readonly items: readonly JsonNode[];
};

export type JsonMember = {
  readonly name: string;
  /** The position of the name with its quotes. */
  readonly from: number;
  readonly to: number;
  /** Null while the value is missing. */
  readonly node: JsonNode | null;
};

const KINDS: Readonly<Record<string, JsonKind>> = {
  Object: "object",
  Array: "array",
  String: "string",
  Number: "number",
  True: "boolean",
  False: "boolean",
  Null: "null",
};

export function readTree(text: string): JsonNode | null {
  return firstValue(jsonLanguage.parser.parse(text).topNode, text);
}

function firstValue(parent: SyntaxNode, text: string): JsonNode | null {
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    const node = readNode(child, text);
    if (node !== null) return node;
  }
  return null;
}

function readNode(node: SyntaxNode, text: string): JsonNode | null {
  const kind = KINDS[node.name];
  if (kind === undefined) return null;
  const { from, to } = node;
  const scalar = kind === "object" || kind === "array" ? null : scalarOf(text.slice(from, to));
  const members = kind === "object" ? node.getChildren("Property").map((property) => readMember(property, text)) : [];
  const items = kind === "array" ? childrenOf(node).flatMap((child) => readNode(child, text) ?? []) : [];
  return { kind, from, to, scalar, members, items };
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function readMember(property: SyntaxNode, text: string): JsonMember {
  const { from, to } = property.getChild("PropertyName") ?? property;
  return { name: String(scalarOf(text.slice(from, to))), from, to, node: firstValue(property, text) };
}

function scalarOf(written: string): JsonNode["scalar"] {
  try {
    return JSON.parse(written) as JsonNode["scalar"];
  } catch {
    // A string with a wrong escape; its fault is shown as a syntax error.
    return written;
  }
}

export function memberOf(node: JsonNode | null | undefined, name: string): JsonMember | null {
  return node?.members.findLast((member) => member.name === name) ?? null;
}

/** A name in an object or a position in an array. */
export type Step = string | number;

/** The node at a path of steps; null where there is none. */
export function nodeAt(root: JsonNode | null, steps: readonly Step[]): JsonNode | null {
  return steps.reduce<JsonNode | null>(
    (node, step) => (typeof step === "number" ? (node?.items[step] ?? null) : (memberOf(node, step)?.node ?? null)),
    root,
  );
}

/** The path to what is at a position: a member's name or value, or an item. */
export function stepsAt(root: JsonNode | null, position: number): readonly Step[] {
  if (root === null) return [];
  for (const { name, from, to, node } of root.members) {
    if (position >= from && position <= Math.max(to, node?.to ?? 0))
      return [name, ...(isIn(node, position) ? stepsAt(node, position) : [])];
  }
  const index = root.items.findIndex((item) => isIn(item, position));
  return index === -1 ? [] : [index, ...stepsAt(root.items[index] ?? null, position)];
}

function isIn(node: JsonNode | null, position: number): boolean {
  return node !== null && position >= node.from && position <= node.to;
}
