import type { Fault } from "../../settings/faults.ts";
import type { Description } from "../definition.ts";

/** Checks across several fields of a description. */
export function checkDescription(_definition: Description): readonly Fault[] {
  return [];
}
