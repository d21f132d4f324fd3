import { type JsonMember, type JsonNode, nodeAt, readTree, type Step } from "../editor/json-tree.ts";

/** A change of the text. */
export type Edit = { readonly from: number; readonly to: number; readonly insert: string };

const INDENT = "  ";

// Edits touch only the value that changes, so that everything else of the text stays as somebody wrote it.

/** Sets the value at a path. The parent must exist; a new member or item is added at its end. Null when there is no place for it. */
export function setValue(text: string, steps: readonly Step[], value: unknown): Edit | null {
  const tree = readTree(text);
  const node = nodeAt(tree, steps);
  if (node !== null) return { from: node.from, to: node.to, insert: written(value, indentAt(text, node.from)) };
  const [parent, last] = [nodeAt(tree, steps.slice(0, -1)), steps.at(-1)];
  if (parent === null || last === undefined) return null;
  if (parent.kind === "array") return addTo(text, parent, "", value);
  return parent.kind === "object" ? addTo(text, parent, `${JSON.stringify(String(last))}: `, value) : null;
}

/** Sets the value at a path and adds the objects on the way that are missing. */
export function setDeep(text: string, steps: readonly Step[], value: unknown): Edit | null {
  const [parent, last] = [steps.slice(0, -1), steps.at(-1)];
  if (typeof last !== "string" || nodeAt(readTree(text), parent) !== null) return setValue(text, steps, value);
  return setDeep(text, parent, { [last]: value });
}

function addTo(text: string, parent: JsonNode, start: string, value: unknown): Edit {
  const outer = indentAt(text, parent.from);
  const last = childrenOf(parent).at(-1);
  const inner = last && isOnOwnLine(text, last.from) ? indentAt(text, last.from) : outer + INDENT;
  const line = `\n${inner}${start}${written(value, inner)}`;
  if (last !== undefined) return { from: last.to, to: last.to, insert: `,${line}` };
  const [open, close] = parent.kind === "array" ? ["[", "]"] : ["{", "}"];
  return { from: parent.from, to: parent.to, insert: `${open}${line}\n${outer}${close}` };
}

/** Removes a member or an item with its comma. Null when there is none. */
export function removeValue(text: string, steps: readonly Step[]): Edit | null {
  const parent = nodeAt(readTree(text), steps.slice(0, -1));
  if (parent === null) return null;
  const children = childrenOf(parent);
  const index = positionOf(parent, steps.at(-1));
  const [own, before, after] = [children[index], children[index - 1], children[index + 1]];
  if (own === undefined) return null;
  if (before !== undefined) return { from: before.to, to: own.to, insert: "" };
  if (after !== undefined) return { from: own.from, to: after.from, insert: "" };
  return { from: parent.from, to: parent.to, insert: parent.kind === "array" ? "[]" : "{}" };
}

/** Gives a member another name. Null when there is no such member or the name is taken. */
export function renameMember(text: string, steps: readonly Step[], name: string): Edit | null {
  const parent = nodeAt(readTree(text), steps.slice(0, -1));
  const member = parent?.members.find((one) => one.name === steps.at(-1));
  if (!member || parent?.members.some((one) => one.name === name)) return null;
  return { from: member.from, to: member.to, insert: JSON.stringify(name) };
}

/** Exchanges an item with the one before it. Rules are tried in their order. */
export function moveUp(text: string, steps: readonly Step[]): Edit | null {
  const parent = nodeAt(readTree(text), steps.slice(0, -1));
  const index = Number(steps.at(-1));
  const [before, own] = [parent?.items[index - 1], parent?.items[index]];
  if (!before || !own) return null;
  const insert = text.slice(own.from, own.to) + text.slice(before.to, own.from) + text.slice(before.from, before.to);
  return { from: before.from, to: own.to, insert };
}

export function applyEdit(text: string, { from, to, insert }: Edit): string {
  return text.slice(0, from) + insert + text.slice(to);
}

function childrenOf(parent: JsonNode): readonly { readonly from: number; readonly to: number }[] {
  return parent.kind === "array" ? parent.items : parent.members.map(rangeOf);
}

function rangeOf({ from, to, node }: JsonMember) {
  return { from, to: node?.to ?? to };
}

function positionOf(parent: JsonNode, step: Step | undefined): number {
  return parent.kind === "array" ? Number(step) : parent.members.findLastIndex(({ name }) => name === step);
}

function written(value: unknown, indent: string): string {
  return JSON.stringify(value, null, INDENT).replaceAll("\n", `\n${indent}`);
}

/** The indentation of the line of a position. */
function indentAt(text: string, position: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", position - 1) + 1))?.[0] ?? "";
}

function isOnOwnLine(text: string, position: number): boolean {
  return text.slice(text.lastIndexOf("\n", position - 1) + 1, position).trim() === "";
}
