import { z } from "zod";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { descriptionSchema } from "./definition.ts";

/** The published JSON Schema of descriptions. It knows the form; what fits together is checked when a description is read. */
export function descriptionJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(descriptionSchema, { io: "input" }) as JsonObject;
  return { ...schema, $id: "https://corprail.example/provider-description.schema.json", title: "Corprail provider description, version 2" };
}
