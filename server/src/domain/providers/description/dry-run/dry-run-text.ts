import { faultText } from "../../settings/faults.ts";
import type { DryRun, Shown } from "./dry-run.ts";
import type { ProofCheck } from "./proof-check.ts";
import type { Reading } from "./read-sample.ts";
import type { ShownComputed } from "./shown-computed.ts";

/** A dry run's result as `corprail provider test` prints it. */
export function dryRunText(run: DryRun): string {
  if (run.kind === "invalid") return `The description has errors:\n${indent(faultText(run.faults))}`;
  const missing =
    run.missing.length === 0 ? [] : [`Secrets not found; set ${run.missing.join(", ")}, or put them into the .secrets file.`, ""];
  const warnings = run.warnings.length === 0 ? [] : ["Warnings:", indent(faultText(run.warnings)), ""];
  return [
    ...missing,
    ...warnings,
    `Requests to ${run.provider} for ${run.operation}:`,
    ...(run.steps.length === 0 ? ["", "  none: the description itself has the answer"] : []),
    ...run.steps.flatMap(({ step, call, computed = [] }) => [
      ...["", `  ${step}`, indent(indent(callText(call)))],
      ...computed.flatMap((one) => ["", indent(indent(computedText(one)))]),
    ]),
    ...(run.reading ? ["", "The sample answer is read as:", indent(readingText(run.reading))] : []),
    ...run.proofs.flatMap((proof) => ["", `The proof of ${proof.path}, ${proof.kind}:`, indent(proofText(proof))]),
  ].join("\n");
}

function computedText({ name, kind, text, value }: ShownComputed): string {
  return [`computed.${name}, ${kind}:`, ...(text === null ? [] : [`  text: ${text}`]), `  value: ${value}`].join("\n");
}

function proofText({ text, expected, received, result }: ProofCheck): string {
  return [
    ...(text === null ? [] : [`signed text: ${text}`]),
    ...(expected === null ? [] : [`expected: ${expected}`]),
    `received: ${received === "" ? "(none)" : received}`,
    `result: ${result}`,
  ].join("\n");
}

function callText(call: Shown): string {
  if ("notSent" in call) return `would not be sent: ${call.notSent}`;
  const headers = Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`);
  return [`${call.method} ${call.url}`, ...headers, ...(call.body === null ? [] : ["", call.body])].join("\n");
}

function readingText({ fields, outcome, because, value }: Reading): string {
  const found = Object.entries(fields).map(([name, text]) => `${name}: ${text === null ? "(none)" : JSON.stringify(text)}`);
  const data = value === null ? [] : [`value: ${JSON.stringify(value)}`];
  return [...found, ...data, `outcome: ${outcome}`, `because: ${because}`].join("\n");
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
}
