import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";

/** The values that the rules of a description name. They decide what an answer means, and are no secret. */
export function keptValues(settings: JsonObject): ReadonlySet<string> {
  return new Set(conditionsIn(settings).flatMap(scalarsIn));
}

function conditionsIn(value: JsonValue, name = ""): readonly JsonValue[] {
  if (typeof value !== "object" || value === null) return [];
  if (name === "when" || name === "where" || name === "last_when" || name === "map" || name === "unauthorized") return [value];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => conditionsIn(item, ""));
  return Object.entries(value).flatMap(([key, member]) => conditionsIn(member as JsonValue, key));
}

/** Values and, for a map, the names that it has values for. */
function scalarsIn(value: JsonValue): readonly string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  const members = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
  return members.flatMap((member) => scalarsIn(member as JsonValue));
}
