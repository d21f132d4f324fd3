import { z } from "zod";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";

/** A JSON schema and the named schemas that it refers to. */
export type Described = { readonly schema: JsonObject; readonly named: Readonly<Record<string, JsonObject>> };

/** Describes a zod schema. Schemas with an id become named schemas of the document. */
export function describeSchema(schema: z.ZodType, io: "input" | "output"): Described {
  const made = z.toJSONSchema(z.object({ value: schema }), { target: "draft-2020-12", io, unrepresentable: "any", override: tidy });
  const { properties, $defs = {} } = JSON.parse(JSON.stringify(made)) as {
    properties: { value: JsonObject };
    $defs?: Record<string, JsonObject>;
  };
  const named = Object.entries($defs).map(([name, one]) => [name, withDocumentReferences(one) as JsonObject]);
  return { schema: withDocumentReferences(properties.value) as JsonObject, named: Object.fromEntries(named) };
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

const tidy: Override = ({ jsonSchema }) => {
  delete jsonSchema.readOnly;
  // The limit of exact numbers is not worth documenting.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema["example"] !== undefined) {
    jsonSchema.examples = [jsonSchema["example"]];
    delete jsonSchema["example"];
  }
};

function withDocumentReferences(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withDocumentReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === "$ref" ? String(part).replace("#/$defs/", "#/components/schemas/") : withDocumentReferences(part),
    ]),
  );
}
