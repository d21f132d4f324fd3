import type { z } from "zod";

/** An error in a description or setting and its position, such as `request.values.success[0]`. */
export type Fault = { readonly path: string; readonly message: string };

export function faultsOf(error: z.ZodError): readonly Fault[] {
  return error.issues.flatMap((issue) => issueFaults(issue, []));
}

type Issue = z.core.$ZodIssue;

function issueFaults(issue: Issue, before: readonly PropertyKey[]): readonly Fault[] {
  const path = [...before, ...issue.path];
  // An invalid key's own error is one level deeper.
  if (issue.code === "invalid_key") return [{ path: pathText(path), message: issue.issues[0]?.message ?? issue.message }];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: pathText([...path, key]), message: "There is no such field." }));
  const meant = issue.code === "invalid_union" ? meantBranch(issue.errors) : null;
  return meant === null ? [{ path: pathText(path), message: issue.message }] : meant.flatMap((inner) => issueFaults(inner, path));
}

/** Of several forms the one that was meant: the only one whose faults are all inside it, or that has only unknown fields. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const inside = branches.filter((issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0));
  return inside.length === 1 ? (inside[0] ?? null) : null;
}

export function faultText(faults: readonly Fault[]): string {
  return faults.map((fault) => (fault.path === "" ? fault.message : `${fault.path}: ${fault.message}`)).join("\n");
}

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}
