import type { JsonMember, JsonNode } from "./json-tree.ts";

export type Range = { readonly from: number; readonly to: number };

/** How far a fault's path leads into the text. */
type Found = Range & { readonly steps: readonly string[]; readonly left: number };

/**
 * The range of a fault such as `operations.recharge.pay.outcome[0].when`. Names may contain points themselves, so every way
 * to read the path is tried and the one that leads furthest is taken. A field that is missing is shown at its parent.
 */
export function rangeOfPath(root: JsonNode | null, path: string): Range {
  const { from, to } = deepest(root, path, { from: root?.from ?? 0, to: (root?.from ?? 0) + 1 }, []);
  return { from, to };
}

/** The names along the path as far as they are in the text. */
export function stepsOfPath(root: JsonNode | null, path: string): readonly string[] {
  return deepest(root, path, { from: 0, to: 0 }, []).steps;
}

function deepest(node: JsonNode | null, path: string, own: Range, steps: readonly string[]): Found {
  const here: Found = { from: own.from, to: own.to, steps, left: path.length };
  if (node === null || path === "") return here;
  const below = node.kind === "array" ? itemBelow(node, path, steps) : membersBelow(node, path, steps);
  return [here, ...below].reduce((best, one) => (one.left < best.left ? one : best));
}

function itemBelow(node: JsonNode, path: string, steps: readonly string[]): readonly Found[] {
  const [start = "", index = ""] = /^(?:\[(\d+)\]|\.?(\d+)(?![^.[]))\.?/.exec(path)?.filter((part) => part !== undefined) ?? [];
  const item = node.items[Number(index)];
  if (start === "" || item === undefined) return [];
  return [deepest(item, path.slice(start.length), firstCharacter(item), [...steps, index])];
}

function membersBelow(node: JsonNode, path: string, steps: readonly string[]): readonly Found[] {
  return node.members
    .filter(({ name }) => path.startsWith(name) && /^(?:$|[.[])/.test(path.slice(name.length)))
    .map((member) =>
      deepest(member.node, path.slice(member.name.length).replace(/^\./, ""), rangeOfMember(member), [...steps, member.name]),
    );
}

/** The name, and its value if that is short. */
function rangeOfMember({ from, to, node }: JsonMember): Range {
  const isShort = node !== null && node.kind !== "object" && node.kind !== "array";
  return { from, to: isShort ? node.to : to };
}

function firstCharacter({ kind, from, to }: JsonNode): Range {
  return { from, to: kind === "object" || kind === "array" ? from + 1 : to };
}

export type Place = { readonly line: number; readonly column: number };

/** Line and column of a position, counted from 1. */
export function placeOf(text: string, position: number): Place {
  const before = text.slice(0, position);
  return { line: before.split("\n").length, column: position - before.lastIndexOf("\n") };
}
