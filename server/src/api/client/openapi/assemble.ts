import type { ExampleValues } from "../../../domain/client-api/route.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { VALUES } from "./example-values.ts";
import { listOf, objectOf } from "./schemas.ts";

export type Assembly = {
  /** The route's example values, which take precedence over the shared ones. */
  readonly own: ExampleValues;
  readonly service: string;
  /** Include only required fields and fields for which the route has its own example value. */
  readonly onlyRequired: boolean;
};

/** Builds an example of a schema from the example values of its fields. */
export function assemble(schema: JsonObject, how: Assembly, trail: readonly string[] = []): JsonValue {
  if (schema["const"] !== undefined) return schema["const"] as JsonValue;
  const ready = readyValue(schema, how, trail);
  if (ready !== undefined) return ready;
  const [branch] = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (branch !== undefined) return assemble(objectOf(branch), how, trail);
  if (schema["type"] === "object") return assembleObject(schema, how, trail);
  if (schema["type"] === "array") return [assemble(objectOf(schema["items"]), how, trail)];
  const [first] = listOf(schema["enum"]);
  if (first !== undefined) return first;
  throw new Error(`there is no example of ${trail.join(".")}: give the route one, or openapi/example-values.ts`);
}

function assembleObject(schema: JsonObject, how: Assembly, trail: readonly string[]): JsonObject {
  const required = listOf(schema["required"]);
  const shown = Object.entries(objectOf(schema["properties"])).filter(
    ([name]) => !how.onlyRequired || required.includes(name) || how.own[name] !== undefined,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, assemble(objectOf(property), how, [...trail, name])]));
}

function readyValue(schema: JsonObject, how: Assembly, trail: readonly string[]): JsonValue | undefined {
  const [name = ""] = trail.slice(-1);
  const inside = trail.slice(-2).join(".");
  const tables = [how.own, { service: how.service }, VALUES];
  const candidates = tables.flatMap((table) => [table[inside], table[name]]).flatMap((found) => (found === undefined ? [] : found));
  return candidates.find((one): one is JsonValue => fits(schema, one as JsonValue));
}

// Enough to choose between candidates. Tests validate the whole example against the schema.
function fits(schema: JsonObject, value: JsonValue): boolean {
  const branches = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (branches.length > 0) return branches.some((branch) => fits(objectOf(branch), value));
  const types = [schema["type"] ?? []].flat();
  if (!types.includes(typeOf(value)) && !(types.includes("integer") && Number.isInteger(value))) return false;
  if (typeOf(value) === "object") return schema["properties"] === undefined;
  const words = listOf(schema["enum"]);
  if (words.length > 0) return words.includes(value);
  const pattern = schema["pattern"];
  return typeof pattern !== "string" || typeof value !== "string" || new RegExp(pattern, "u").test(value);
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
