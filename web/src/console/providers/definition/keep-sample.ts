import { memberOf, nodeAt, readTree, type Step } from "../editor/json-tree.ts";
import { type Edit, setDeep } from "../form/edit-document.ts";
import type { Trial, TrialInput } from "./trial.ts";

type Answer = NonNullable<TrialInput["answer"]>;
type Reading = NonNullable<Trial["reading"]>;

const RESULTS: Readonly<Record<string, string>> = { succeeded: "success" };

/** What a sample with this reading is filed under, such as declined.float. */
export function sampleName({ outcome, decline }: Pick<Reading, "outcome" | "decline">): string {
  const result = RESULTS[outcome] ?? outcome;
  return decline === null || decline === "provider" ? result : `${result}.${decline}`;
}

export type NewSample = { readonly operation: string; readonly answer: Answer; readonly reference: string; readonly name: string };

/** The change of the text that adds a response to the description's samples; null when the call is not in the text. */
export function sampleEdit(text: string, { operation, answer, reference, name }: NewSample): Edit | null {
  const steps = callOf(text, operation, answer.to ?? "request");
  return steps === null ? null : setDeep(text, [...steps, "samples", name], sampleOf(answer, reference));
}

function callOf(text: string, operation: string, to: NonNullable<Answer["to"]>): readonly Step[] | null {
  const tree = readTree(text);
  if (to === "callback") return nodeAt(tree, ["callbacks", 0]) === null ? null : ["callbacks", 0];
  const own: readonly Step[] = to === "status" ? ["operations", operation, "status"] : ["operations", operation];
  const node = nodeAt(tree, own);
  if (node === null) return null;
  // A response without a step is read as that of the last one.
  const count = memberOf(node, "steps")?.node?.items.length ?? 0;
  return count === 0 ? own : [...own, "steps", count - 1];
}

/** A JSON body is kept as a value. Our reference becomes a placeholder, so that the sample fits every order. */
function sampleOf({ body, http_status: http = 200, to }: Answer, reference: string): object {
  const written = reference === "" ? body : body.replaceAll(reference, "{reference}");
  return { ...(to === "callback" || http === 200 ? {} : { http }), body: parsed(written) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A body of another format is kept as text.
    return body;
  }
}
