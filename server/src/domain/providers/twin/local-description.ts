import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";

const ORIGIN = /^https?:\/\/[^/?#]+/;

/** The same description for a twin on this machine: every address leads to it, without TLS and without the way through a proxy. */
export function localDescription(settings: JsonObject, origin: string): JsonObject {
  const { network: _, ...rest } = settings;
  return { ...(redirected(rest, origin) as JsonObject), plain_http: true };
}

function redirected(value: JsonValue, origin: string, name = ""): JsonValue {
  if (typeof value === "string") return name === "url" || name === "base_url" ? value.replace(ORIGIN, origin) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => redirected(item, origin));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redirected(member as JsonValue, origin, key)]));
}
