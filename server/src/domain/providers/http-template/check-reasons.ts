import type { Fault } from "../settings/faults.ts";
import { declares } from "./answer-fields.ts";
import type { Definition, ValuesDefinition } from "./definition.ts";

type Mapped = { readonly path: string; readonly values: ValuesDefinition; readonly ownField: boolean };

/** Reports reasons for a status that is never a failure, because they would have no effect. */
export function reasonFaults({ request, status, callback }: Definition): readonly Fault[] {
  const mapped: readonly Mapped[] = [
    { path: "request.values.reasons", values: request.values, ownField: declares(request.read, "reason") },
    { path: "status.values.reasons", values: status.values, ownField: declares(status.read, "reason") },
    ...(callback ? [{ path: "callback.values.reasons", values: callback.values, ownField: callback.reason !== undefined }] : []),
  ];
  return mapped.flatMap(faultsIn);
}

function faultsIn({ path, values, ownField }: Mapped): readonly Fault[] {
  const failures = [...values.failure, ...(values.reversed ?? [])].map((word) => folded(values, word));
  return Object.keys(values.reasons).flatMap((word) => {
    if (word !== "" && (ownField || failures.includes(folded(values, word)))) return [];
    return [{ path: `${path}.${word}`, message: "Is not listed under failure or reversed." }];
  });
}

function folded(values: ValuesDefinition, word: string): string {
  return values.fold_case ? word.toLowerCase() : word;
}
