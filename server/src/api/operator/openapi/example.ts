import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { VALUES as CLIENT_VALUES } from "../../client/openapi/example-values.ts";
import { listOf, objectOf } from "../../client/openapi/schemas.ts";
import { VALUES } from "./example-values.ts";

type Named = ReadonlyMap<string, JsonObject>;

/** Builds an example of a schema from the example values of its fields. */
export function exampleOf(schema: JsonObject, named: Named, trail: readonly string[]): JsonValue {
  const reference = schema["$ref"];
  if (typeof reference === "string") return exampleOf(named.get(reference.split("/").at(-1) ?? "") ?? {}, named, trail);
  if (schema["const"] !== undefined) return schema["const"] as JsonValue;
  const known = knownValue(schema, trail);
  if (known !== undefined) return known;
  const [given] = listOf(schema["examples"]);
  if (given !== undefined) return given;
  if (schema["default"] !== undefined) return schema["default"] as JsonValue;
  const [word] = listOf(schema["enum"]);
  if (word !== undefined) return word;
  const [branch] = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (branch !== undefined) return exampleOf(objectOf(branch), named, trail);
  return exampleOfType(schema, named, trail);
}

function exampleOfType(schema: JsonObject, named: Named, trail: readonly string[]): JsonValue {
  switch (typesOf(schema)[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(objectOf(schema["properties"])).map(([name, part]) => [name, exampleOf(objectOf(part), named, [...trail, name])]),
      );
    case "array":
      return [exampleOf(objectOf(schema["items"]), named, trail)];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 3;
    case "null":
      return null;
    case undefined:
      return {};
    default:
      throw new Error(`There is no example of ${trail.join(".")}: add one to operator/openapi/example-values.ts.`);
  }
}

/** The value of the table that fits the schema, by parent and field or by field. */
function knownValue(schema: JsonObject, trail: readonly string[]): JsonValue | undefined {
  const names = [trail.slice(-2).join("."), trail.at(-1) ?? ""];
  const values = [VALUES, CLIENT_VALUES].flatMap((table) => names.flatMap((name) => [table[name] ?? []].flat()));
  return values.find((value): value is JsonValue => fits(schema, value as JsonValue));
}

function fits(schema: JsonObject, value: JsonValue): boolean {
  const branches = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (branches.length > 0) return branches.some((branch) => fits(objectOf(branch), value));
  if (schema["const"] !== undefined) return schema["const"] === value;
  const words = listOf(schema["enum"]);
  if (words.length > 0) return words.includes(value);
  const pattern = schema["pattern"];
  if (typeof pattern === "string" && !(typeof value === "string" && new RegExp(pattern, "u").test(value))) return false;
  const types = typesOf(schema);
  return types.includes(typeof value) || (types.includes("integer") && Number.isInteger(value));
}

function typesOf(schema: JsonObject): readonly JsonValue[] {
  return [schema["type"] ?? []].flat();
}
