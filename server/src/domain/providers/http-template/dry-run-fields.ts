import { FAILURE_SENTENCES } from "../../shared/failure.ts";
import { cleaner } from "../masking/cleaner.ts";
import type { Secrets } from "./build-call.ts";
import type { DryRun, ShownCall } from "./dry-run.ts";

export type DoneRun = Extract<DryRun, { readonly kind: "done" }>;
type Reading = NonNullable<DoneRun["reading"]>;

/** A dry run's result as the API returns it. */
export function dryRunFields(run: DoneRun) {
  return { request: callFields(run.request), status: callFields(run.status), reading: run.reading && readingFields(run.reading) };
}

/** Masks secrets in a sample answer, because a provider may echo the request. */
export function hideSecrets(run: DoneRun, secrets: Secrets): DoneRun {
  const fields = run.reading?.fields ?? null;
  if (run.reading === null || fields === null) return run;
  const clean = cleaner(secrets);
  const hidden = (text: string | null) => (text === null ? null : clean(text));
  const cleaned = {
    status: hidden(fields.status),
    operatorRef: hidden(fields.operatorRef),
    message: hidden(fields.message),
    reference: hidden(fields.reference),
    reason: hidden(fields.reason),
  };
  return { ...run, reading: { ...run.reading, fields: cleaned } };
}

function callFields(call: ShownCall | { readonly notSent: string }) {
  return "notSent" in call ? { not_sent: call.notSent } : call;
}

function readingFields({ fields, finding, because }: Reading) {
  const clientMessage = "failure" in finding && finding.failure !== undefined ? FAILURE_SENTENCES[finding.failure] : null;
  if (fields === null) return { outcome: finding.kind, because, client_message: clientMessage, fields };
  const { status, operatorRef, message, reference, reason } = fields;
  return {
    outcome: finding.kind,
    because,
    client_message: clientMessage,
    fields: { status, operator_ref: operatorRef, message, reference, reason },
  };
}
