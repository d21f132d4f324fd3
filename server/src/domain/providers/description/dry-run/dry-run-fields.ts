import { FAILURE_SENTENCES } from "../../../shared/failure.ts";
import type { DryRun, Shown } from "./dry-run.ts";
import type { Reading } from "./read-sample.ts";

export type DoneRun = Extract<DryRun, { readonly kind: "done" }>;

/** A dry run's result as the API returns it. */
export function dryRunFields(run: DoneRun) {
  return {
    operation: run.operation,
    warnings: run.warnings,
    steps: run.steps.map(({ step, call }) => ({ step, call: callFields(call) })),
    request: callFields(run.request),
    status: run.status && callFields(run.status),
    reading: run.reading && readingFields(run.reading),
    samples: run.samples.map(({ path, name, reading }) => ({ path, name, ...readingFields(reading) })),
  };
}

/** The same with what only the secrets can show: computed values and the proof of a callback. */
export function provedFields(run: DoneRun) {
  const steps = run.steps.map(({ step, call, computed }) => ({
    ...{ step, call: callFields(call) },
    ...(computed === undefined ? {} : { computed }),
  }));
  return { ...dryRunFields(run), steps, ...(run.proofs.length === 0 ? {} : { proofs: run.proofs }) };
}

function callFields(call: Shown) {
  return "notSent" in call ? { not_sent: call.notSent } : call;
}

/** How an answer is read, as the API returns it. */
export function readingFields({ outcome, because, failure, decline, fields, value }: Reading) {
  return {
    outcome,
    because,
    decline,
    client_message: failure === null ? null : FAILURE_SENTENCES[failure],
    fields,
    value: value === null ? null : JSON.stringify(value, null, 2),
  };
}
