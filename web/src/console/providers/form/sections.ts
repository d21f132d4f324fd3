import type { Schema } from "../editor/schema.ts";

/** The fields of a description by the section that shows them. Operations have sections of their own. */
const SECTIONS: readonly (readonly [label: string, fields: readonly string[]])[] = [
  ["Connection", ["name", "base_url", "plain_http", "headers", "query", "timeouts", "network"]],
  ["Secrets", ["secrets", "constants"]],
  ["Codes", ["codes"]],
  ["Amounts and references", ["amount", "times", "reference"]],
  ["Login", ["login"]],
  ["Signatures", ["computed"]],
  ["Answers", ["read"]],
  ["Limits and polling", ["limits", "polling"]],
  ["Callbacks", ["callbacks", "callback_reply"]],
];

/** The section with what belongs to no other one. */
export const FIRST_SECTION: string = "Connection";

export type FormSection = { readonly label: string; readonly fields: readonly string[] };

// The editor writes these itself.
const HIDDEN: readonly string[] = ["$schema", "version", "operations"];

export function formSections(root: Schema): readonly FormSection[] {
  const known = new Set([...HIDDEN, ...SECTIONS.flatMap(([, fields]) => fields)]);
  const others = Object.keys(root.properties ?? {}).filter((name) => !known.has(name));
  return SECTIONS.map(([label, fields]) => ({ label, fields: label === FIRST_SECTION ? [...fields, ...others] : fields }));
}

/** The section of a fault's path; null for one of an operation. */
export function sectionOfPath(path: string): string | null {
  const [field = ""] = path.split(/[.[]/);
  if (field === "operations" && path !== field) return null;
  return SECTIONS.find(([, fields]) => fields.includes(field))?.[0] ?? FIRST_SECTION;
}
