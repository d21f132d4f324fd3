import type { Fault } from "../../../domain/providers/settings/faults.ts";
import type { Fields } from "../errors.ts";

// Faults outside the description refer to other fields of the body.
const BESIDE = /^(?:secrets|answer)\b/;

/** Faults as request fields. `within` is the field that contains the description, or empty. */
export function faultFields(faults: readonly Fault[], within: "definition" | ""): Fields {
  const fields: Record<string, string> = {};
  for (const { path, message } of faults) fields[placeOf(path, within)] ??= message;
  return fields;
}

function placeOf(path: string, within: string): string {
  if (within === "" || BESIDE.test(path)) return path;
  return path === "" ? within : `${within}.${path}`;
}
