import { faultText } from "../settings/faults.ts";
import type { DryRun, ShownCall } from "./dry-run.ts";

/** A dry run's result as `corprail provider test` prints it. */
export function dryRunText(run: DryRun): string {
  if (run.kind === "invalid") return `The description has errors:\n${indent(faultText(run.faults))}`;
  const missing =
    run.missing.length === 0 ? [] : [`Secrets not found; set ${run.missing.join(", ")}, or put them into the .secrets file.`, ""];
  return [
    ...missing,
    `Request to ${run.provider}:`,
    indent(callText(run.request)),
    "",
    "Status question:",
    indent(callText(run.status)),
    ...(run.reading ? ["", "The sample answer is read as:", indent(readingText(run.reading))] : []),
  ].join("\n");
}

function callText(call: ShownCall | { readonly notSent: string }): string {
  if ("notSent" in call) return `would not be sent: ${call.notSent}`;
  const headers = Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`);
  return [`${call.method} ${call.url}`, ...headers, ...(call.body === null ? [] : ["", call.body])].join("\n");
}

function readingText(reading: NonNullable<Extract<DryRun, { kind: "done" }>["reading"]>): string {
  const fields = Object.entries(reading.fields ?? {}).map(
    ([name, value]) => `${name}: ${value === null ? "(none)" : JSON.stringify(value)}`,
  );
  return [...fields, `outcome: ${reading.finding.kind}`, `because: ${reading.because}`].join("\n");
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
}
