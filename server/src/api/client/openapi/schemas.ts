import { z } from "zod";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";

/** One field of a request, as a parameter or as a part of the body. */
export type Field = { readonly name: string; readonly schema: JsonObject; readonly required: boolean };

/** The JSON schema of a request. */
export function inputSchema(schema: z.ZodType): JsonObject {
  return plain(z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" }));
}

/** The JSON schema of a reply. It allows additional fields, because fields may be added (contract, section 1). */
export function replySchema(schema: z.ZodType): JsonObject {
  return plain(
    z.toJSONSchema(schema, {
      target: "draft-2020-12",
      io: "output",
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        // The limit of exact numbers is not worth documenting.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    }),
  );
}

function plain(made: object): JsonObject {
  const { $schema: _, ...schema } = JSON.parse(JSON.stringify(made)) as JsonObject;
  // References to $defs would point at the document's root, where the definitions are not.
  if (schema["$defs"] !== undefined) throw new Error("a schema with an id or with itself inside cannot be described here yet");
  return schema;
}

/** The fields of an object schema. A field of alternatives is required if all of them require it. */
export function fieldsOf(schema: JsonObject): readonly Field[] {
  const properties = objectOf(schema["properties"]);
  const required = listOf(schema["required"]);
  const own = Object.entries(properties).map(([name, property]) => ({
    name,
    schema: objectOf(property),
    required: required.includes(name),
  }));
  const all = listOf(schema["allOf"]).flatMap((part) => fieldsOf(objectOf(part)));
  return firstOfEach([...own, ...all, ...alternatives([...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])])]);
}

function alternatives(branches: readonly JsonValue[]): readonly Field[] {
  const each = branches.map((branch) => fieldsOf(objectOf(branch)));
  const everywhere = (name: string) => each.every((fields) => fields.some((field) => field.name === name && field.required));
  return each.flat().map((field) => ({ ...field, required: everywhere(field.name) }));
}

function firstOfEach(fields: readonly Field[]): readonly Field[] {
  return fields.filter((field, place) => fields.findIndex((other) => other.name === field.name) === place);
}

/** The schema without one field, which is sent elsewhere. */
export function withoutField(schema: JsonObject, name: string): JsonObject {
  const { [name]: _, ...properties } = objectOf(schema["properties"]);
  return { ...schema, properties, required: listOf(schema["required"]).filter((other) => other !== name) };
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The schema with additional required fields, unless it already has them. */
export function withFields(schema: JsonObject, more: JsonObject): JsonObject {
  const required = new Set([...listOf(schema["required"]), ...Object.keys(more)]);
  return { ...schema, properties: { ...more, ...objectOf(schema["properties"]) }, required: [...required] };
}
