import type { Faults } from "../definition/definition.ts";
import type { Step } from "../editor/json-tree.ts";

/** Faults by path, with positions of lists written as names: `outcome.0.when`. */
export type FieldFaults = readonly (readonly [path: string, message: string])[];

export function fieldFaults(faults: Faults["places"]): FieldFaults {
  return faults.map(([path, message]) => [path.replaceAll(/\[(\d+)\]/g, ".$1"), message]);
}

/** Faults at a path or below it. */
export function faultsBelow(faults: FieldFaults, steps: readonly Step[]): readonly string[] {
  const path = steps.join(".");
  return faults.filter(([at]) => isBelow(at, path)).map(([, message]) => message);
}

/** Faults at a path, and those below it that no field there shows. */
export function faultsAt(faults: FieldFaults, steps: readonly Step[], shown: readonly Step[]): readonly string[] {
  const path = steps.join(".");
  const inner = shown.map((step) => [...steps, step].join("."));
  return faults.filter(([at]) => isBelow(at, path) && !inner.some((one) => isBelow(at, one))).map(([, message]) => message);
}

function isBelow(at: string, path: string): boolean {
  return path === "" || at === path || at.startsWith(`${path}.`);
}
