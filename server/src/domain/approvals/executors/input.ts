import type { JsonObject } from "../../../platform/core/strict-json.ts";

/** A text of what was asked for; empty where there is none. */
export function text(input: JsonObject, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : "";
}
