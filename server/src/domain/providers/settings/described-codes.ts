import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import type { ConnectorKind } from "../store.ts";

/** A map of our codes to the provider's, and where it is in the settings. */
export type DescribedCodes = {
  readonly path: string;
  readonly codes: JsonObject;
  /** Whether every other code is served as well. */
  readonly isOpen: boolean;
};

/** The provider's codes of operators or circles; null when the settings have none, so that ours are used. */
export function describedCodes(connector: ConnectorKind, settings: JsonObject, name: "operators" | "circles"): DescribedCodes | null {
  if (connector !== "description") {
    const codes = objectAt(settings[name]);
    return codes === null ? null : { path: name, codes, isOpen: false };
  }
  const map = objectAt(objectAt(settings["codes"])?.[name]);
  const values = objectAt(map?.["values"]);
  // With a key of its own the map has other keys than operators or circles.
  if (map === null || values === null || map["by"] !== undefined) return null;
  return { path: `codes.${name}.values`, codes: values, isOpen: map["else"] !== undefined };
}

function objectAt(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
