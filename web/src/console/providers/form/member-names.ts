import type { Step } from "../editor/json-tree.ts";

const NAMES: Readonly<Record<string, string>> = {
  headers: "Header",
  query: "Parameter",
  form: "Form field",
  when: "Condition",
  where: "Condition",
  codes: "Code list",
  values: "Code",
  constants: "Constant",
  secrets: "Secret",
  computed: "Computed value",
  samples: "Sample",
  outcome: "Rule",
  callbacks: "Callback",
  steps: "Step",
  choices: "Choice",
  save: "Saved value",
  map: "Value",
  confirm: "Confirmation",
  json: "Value",
};

/** What one member of a list or of a set of named values is called. */
export function memberName(step: Step | undefined): string {
  return NAMES[String(step)] ?? "Entry";
}
