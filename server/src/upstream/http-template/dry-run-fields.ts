import type { JsonObject } from "../../kernel/strict-json.ts";
import type { Secrets } from "./build-call.ts";
import { cleaner } from "./cleaner.ts";
import type { DryRun, ShownCall } from "./dry-run.ts";

export type DoneRun = Extract<DryRun, { readonly kind: "done" }>;
type Reading = NonNullable<DoneRun["reading"]>;

/** A dry run as programs are told it. */
export function dryRunFields(run: DoneRun) {
  return { request: callFields(run.request), status: callFields(run.status), reading: run.reading && readingFields(run.reading) };
}

/** A provider may repeat the request in its answer, and a saved answer then has the secrets in it. */
export function hideSecrets(run: DoneRun, secrets: Secrets): DoneRun {
  const fields = run.reading?.fields ?? null;
  if (run.reading === null || fields === null) return run;
  const clean = cleaner(secrets);
  const hidden = (text: string | null) => (text === null ? null : clean(text));
  const { status, operatorRef, message, reference } = fields;
  const cleaned = { status: hidden(status), operatorRef: hidden(operatorRef), message: hidden(message), reference: hidden(reference) };
  return { ...run, reading: { ...run.reading, fields: cleaned } };
}

function callFields(call: ShownCall | { readonly notSent: string }) {
  return "notSent" in call ? { not_sent: call.notSent } : call;
}

function readingFields({ fields, finding, because }: Reading): JsonObject {
  if (fields === null) return { outcome: finding.kind, because, fields };
  const { status, operatorRef, message, reference } = fields;
  return { outcome: finding.kind, because, fields: { status, operator_ref: operatorRef, message, reference } };
}
