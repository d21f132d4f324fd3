import type { Fault } from "../../../domain/providers/settings/faults.ts";
import type { Fields } from "../errors.ts";

// What is not about the description has a place of its own in the body.
const BESIDE = /^(?:secrets|answer)\b/;

/** Faults as fields of the request; `within` is the field that the description stands in, or empty. */
export function faultFields(faults: readonly Fault[], within: "definition" | ""): Fields {
  const fields: Record<string, string> = {};
  for (const { path, message } of faults) fields[placeOf(path, within)] ??= message;
  return fields;
}

function placeOf(path: string, within: string): string {
  if (within === "" || BESIDE.test(path)) return path;
  return path === "" ? within : `${within}.${path}`;
}
