import type { Fault } from "../../../domain/providers/settings/faults.ts";
import type { Fields } from "../errors.ts";
import { type Refusal, wrongFields } from "../refusal.ts";

// Faults outside the description refer to other fields of the body.
const BESIDE = /^(?:secrets|answer)\b/;

/** Refuses a request for its faults. `parent` is the field that contains the description, or empty. */
export function refuseFaults(faults: readonly Fault[], parent: "definition" | ""): Refusal {
  return wrongFields(faultFields(faults, parent));
}

function faultFields(faults: readonly Fault[], parent: string): Fields {
  const fields: Record<string, string> = {};
  for (const { path, message } of faults) fields[fieldOf(path, parent)] ??= message;
  return fields;
}

function fieldOf(path: string, parent: string): string {
  if (parent === "" || BESIDE.test(path)) return path;
  return path === "" ? parent : `${parent}.${path}`;
}
