import { type JsonNode, memberOf } from "./json-tree.ts";

const ORDER_NAMES = ["reference", "target", "amount", "operator", "circle", "created_at", "provider_ref", "now", "unique_id"];

/** The placeholders that a description itself defines, and those of every order. */
export function placeholderNames(tree: JsonNode | null): readonly string[] {
  const namesIn = (map: string) => memberOf(tree, map)?.node?.members.map(({ name }) => name) ?? [];
  return [
    ...(memberOf(tree, "secrets")?.node?.items ?? []).map(({ scalar }) => `secret.${scalar}`),
    ...namesIn("constants").map((name) => `constant.${name}`),
    ...namesIn("codes").map((name) => `code.${name}`),
    ...namesIn("computed").map((name) => `computed.${name}`),
    ...(memberOf(tree, "login") === null ? [] : ["token"]),
    ...ORDER_NAMES,
  ];
}
