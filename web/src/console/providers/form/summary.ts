import { type JsonNode, memberOf } from "../editor/json-tree.ts";

/** A rule in words, such as `declined if status = FAILED`; null for what is no rule or has no conditions yet. */
export function summaryOf(node: JsonNode | null): string | null {
  const means = memberOf(node, "means")?.node?.scalar;
  const conditions = memberOf(node, "when")?.node?.members ?? [];
  if (typeof means !== "string" || conditions.length === 0) return null;
  return `${means.replace("_", " ")} if ${conditions.map(({ name, node: value }) => `${name} ${comparison(value)}`).join(" and ")}`;
}

function comparison(node: JsonNode | null): string {
  if (node === null) return "= …";
  if (node.kind === "array") return `is ${node.items.map(({ scalar }) => String(scalar)).join(" or ")}`;
  const [member] = node.members;
  return member === undefined ? `= ${String(node.scalar)}` : `${member.name.replace("_", " ")} ${valueText(member.node)}`;
}

function valueText(node: JsonNode | null): string {
  return node?.kind === "array" ? node.items.map(({ scalar }) => String(scalar)).join(" or ") : String(node?.scalar ?? "…");
}
