import { readFile } from "node:fs/promises";
import { systemClock } from "@corprail/server/kernel/clock";
import type { Money } from "@corprail/server/kernel/money";
import type { UpstreamRequest } from "@corprail/server/upstream/connector";
import type { Secrets } from "@corprail/server/upstream/http-template/build-call";
import { cleaner } from "@corprail/server/upstream/http-template/cleaner";
import { type DryRun, dryRun, type SampleAnswer } from "@corprail/server/upstream/http-template/dry-run";
import { dryRunText } from "@corprail/server/upstream/http-template/dry-run-text";
import { checkSetup } from "@corprail/server/upstream/open-connector";
import { done, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { faulty, type ProviderFile, readProviderFile, secretsFor } from "./provider-file.ts";

export type TestOptions = {
  readonly answer?: string;
  readonly httpStatus?: number;
  readonly for?: SampleAnswer["to"];
  readonly reference?: string;
  readonly target?: string;
  readonly operator?: string;
  readonly circle?: string;
  readonly amount?: Money;
};

type Reading = NonNullable<Extract<DryRun, { kind: "done" }>["reading"]>;

/** The dry run: nothing leaves the machine, and no database is needed. */
export async function testProvider(ctx: CommandContext, path: string, options: TestOptions): Promise<Outcome> {
  const read = await readProviderFile(path);
  if (!read.ok) return faulty(path, read.faults);
  const { connector, settings } = read.file;
  const secrets = await secretsFor(ctx, path, read.file);
  if (connector !== "http-template") return testSettings(read.file, secrets, options);
  const answer = await sampleAnswer(options);
  const now = systemClock(ctx.config.clockOffsetSeconds).now();
  const run = dryRun({ description: settings, secrets, sample: sampleRequest(options), now, ...(answer ? { answer } : {}) });
  return run.kind === "invalid" ? faulty(path, run.faults) : shown(run, secrets);
}

/** The other connectors' requests are not described by the file. */
function testSettings(file: ProviderFile, secrets: Secrets, options: TestOptions): Outcome {
  if (options.answer !== undefined || options.httpStatus !== undefined)
    return failed(`Sample answers are for http-template: ${file.connector} knows how to read its own.`);
  const checked = checkSetup({ ...file, secrets });
  const missing = checked.ok ? checked.missing : [];
  const words = `The settings of ${file.provider} have no fault; nothing was sent.`;
  const fields = { provider: file.provider, connector: file.connector, missing };
  return done(words, fields, missing.length === 0 ? null : `Secrets not found: ${missing.join(", ")}`);
}

function shown(run: Extract<DryRun, { kind: "done" }>, secrets: Secrets): Outcome {
  const reading = run.reading && hideSecrets(run.reading, secrets);
  const fields = {
    provider: run.provider,
    connector: "http-template",
    missing: run.missing,
    request: callFields(run.request),
    status: callFields(run.status),
    reading: reading && readingFields(reading),
  };
  return done("Nothing was sent.", fields, dryRunText({ ...run, reading }));
}

// A provider may repeat the request in its answer, and a saved answer then has the secrets in it.
function hideSecrets(reading: Reading, secrets: Secrets): Reading {
  const { fields } = reading;
  if (fields === null) return reading;
  const clean = cleaner(secrets);
  const hidden = (text: string | null) => (text === null ? null : clean(text));
  const { status, operatorRef, message, reference } = fields;
  return {
    ...reading,
    fields: { status: hidden(status), operatorRef: hidden(operatorRef), message: hidden(message), reference: hidden(reference) },
  };
}

function callFields(call: Extract<DryRun, { kind: "done" }>["request"]) {
  return "notSent" in call ? { not_sent: call.notSent } : call;
}

function readingFields({ fields, finding, because }: Reading) {
  if (fields === null) return { outcome: finding.kind, because, fields };
  const { status, operatorRef, message, reference } = fields;
  return { outcome: finding.kind, because, fields: { status, operator_ref: operatorRef, message, reference } };
}

/** A status alone is an answer without a body. */
async function sampleAnswer(options: TestOptions): Promise<SampleAnswer | null> {
  if (options.answer === undefined && options.httpStatus === undefined) return null;
  const body = options.answer === undefined ? Buffer.alloc(0) : await readFile(options.answer);
  return { body, httpStatus: options.httpStatus ?? 200, to: options.for ?? "request" };
}

function sampleRequest({ reference, target, operator, circle, amount }: TestOptions): Partial<UpstreamRequest> {
  const given = Object.entries({ reference, target, operator, circle, amount }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
