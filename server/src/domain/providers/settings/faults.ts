import type { z } from "zod";

/** An error in a description or setting and its position, such as `request.values.success[0]`. */
export type Fault = { readonly path: string; readonly message: string };

export function faultsOf(error: z.ZodError): readonly Fault[] {
  return error.issues.flatMap((issue) => {
    // An invalid key's own error is one level deeper.
    if (issue.code === "invalid_key") return [{ path: pathText(issue.path), message: issue.issues[0]?.message ?? issue.message }];
    if (issue.code !== "unrecognized_keys") return [{ path: pathText(issue.path), message: issue.message }];
    return issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: "There is no such field." }));
  });
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
