import type { JsonObject } from "../../../platform/core/strict-json.ts";

/** A text field of the request; empty when absent. */
export function text(input: JsonObject, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : "";
}
