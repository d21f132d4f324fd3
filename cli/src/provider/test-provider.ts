import { readFile } from "node:fs/promises";
import type { ProviderRequest } from "@corprail/server/domain/providers/connector";
import { checkSetup } from "@corprail/server/domain/providers/connector-setup";
import { readDescription } from "@corprail/server/domain/providers/description/definition";
import { dryRun, type SampleAnswer } from "@corprail/server/domain/providers/description/dry-run/dry-run";
import { type DoneRun, provedFields } from "@corprail/server/domain/providers/description/dry-run/dry-run-fields";
import { dryRunText } from "@corprail/server/domain/providers/description/dry-run/dry-run-text";
import type { Secrets } from "@corprail/server/domain/providers/description/request/scope";
import { readSamples, type SampleReading } from "@corprail/server/domain/providers/description/samples/read-samples";
import { sampleFields, sampleText } from "@corprail/server/domain/providers/description/samples/sample-text";
import { descriptionFaults, literalAddressFaults } from "@corprail/server/domain/providers/settings/check-description";
import type { DescribedProvider } from "@corprail/server/domain/providers/settings/described-provider";
import { systemClock } from "@corprail/server/platform/core/clock";
import type { Money } from "@corprail/server/platform/core/money";
import type { JsonObject } from "@corprail/server/platform/core/strict-json";
import { egressOf } from "../shared/load-installation.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { faulty, readProviderFile, secretsFor } from "./provider-file.ts";

export type TestOptions = {
  readonly operation?: string;
  readonly step?: string;
  readonly answer?: string;
  readonly httpStatus?: number;
  readonly for?: SampleAnswer["to"];
  readonly reference?: string;
  readonly target?: string;
  readonly operator?: string;
  readonly circle?: string;
  readonly amount?: Money;
  readonly token?: string;
  readonly time?: number;
  readonly nonce?: string;
  readonly computed?: boolean;
  readonly header?: readonly string[];
};

/** Runs a provider description without sending anything and without a database. */
export async function testProvider(ctx: CommandContext, path: string, options: TestOptions): Promise<Outcome> {
  const read = await readProviderFile(path);
  if (!read.ok) return faulty(path, read.faults);
  const { connector, settings } = read.file;
  const faults = [...descriptionFaults(read.file), ...literalAddressFaults(egressOf(ctx.config), read.file)];
  if (faults.length > 0) return faulty(path, faults);
  const secrets = await secretsFor(ctx, path, read.file);
  if (connector !== "description") return testSettings(read.file, secrets, options);
  const answer = await sampleAnswer(options);
  const now = options.time ?? systemClock(ctx.config.clockOffsetSeconds).now();
  const runs = operationsToShow(settings, options).map((operation) =>
    dryRun({
      ...{ description: settings, secrets, sample: sampleRequest(options), now },
      ...{ token: options.token, nonce: options.nonce, showsComputed: options.computed },
      ...(operation === undefined ? {} : { operation }),
      ...(answer ? { answer } : {}),
    }),
  );
  const faulted = runs.find((run) => run.kind === "invalid");
  if (faulted !== undefined) return faulty(path, faulted.faults);
  return shown(
    runs.filter((run) => run.kind === "done"),
    samplesFor(settings, options),
  );
}

/** Other connectors do not describe their requests in the file, so only their settings are checked. */
function testSettings(file: DescribedProvider, secrets: Secrets, options: TestOptions): Outcome {
  if (options.answer !== undefined || options.httpStatus !== undefined)
    return failed(`Sample answers are for descriptions: ${file.connector} knows how to read its own.`);
  const checked = checkSetup({ ...file, secrets });
  const missing = checked.ok ? checked.missing : [];
  const words = `The settings of ${file.provider} have no fault; nothing was sent.`;
  const fields = { provider: file.provider, connector: file.connector, missing };
  return done(words, fields, missing.length === 0 ? null : `Secrets not found: ${missing.join(", ")}`);
}

/** All operations, unless one is named or an answer is to be read. */
function operationsToShow(settings: JsonObject, { operation, answer, httpStatus }: TestOptions): readonly (string | undefined)[] {
  if (operation !== undefined || answer !== undefined || httpStatus !== undefined) return [operation];
  const read = readDescription(settings);
  return read.ok ? Object.keys(read.definition.operations) : [undefined];
}

function samplesFor(settings: JsonObject, { operation }: TestOptions): readonly SampleReading[] {
  const read = readDescription(settings);
  const samples = read.ok ? readSamples(read.definition) : [];
  return operation === undefined ? samples : samples.filter((sample) => sample.operation === operation);
}

function shown(runs: readonly DoneRun[], samples: readonly SampleReading[]): Outcome {
  const [run, ...others] = runs;
  if (run === undefined) return failed("The description has no operation.");
  // The first operation is also at the top, where scripts of one operation look for it.
  const operations = others.length === 0 ? {} : { operations: runs.map(provedFields) };
  const head = { provider: run.provider, connector: "description", missing: run.missing };
  const fields = { ...head, ...provedFields(run), ...operations, ...(samples.length === 0 ? {} : { samples: sampleFields(samples) }) };
  const texts = runs.map((one, position) => dryRunText(position === 0 ? one : { ...one, missing: [], warnings: [] }));
  return done("Nothing was sent.", fields, [...texts, ...(samples.length === 0 ? [] : [sampleText(samples)])].join("\n\n"));
}

/** A status without a file is an answer without a body. */
async function sampleAnswer(options: TestOptions): Promise<SampleAnswer | null> {
  if (options.answer === undefined && options.httpStatus === undefined) return null;
  const body = options.answer === undefined ? Buffer.alloc(0) : await readFile(options.answer);
  const step = options.step === undefined ? {} : { step: options.step };
  const headers = Object.fromEntries((options.header ?? []).map(headerOf));
  return { body, httpStatus: options.httpStatus ?? 200, to: options.for ?? "request", headers, ...step };
}

function headerOf(text: string): readonly [string, string] {
  const at = text.indexOf(":");
  if (at < 1) throw new UsageFault(`${text} is not a header. Write --header "X-Signature: value".`);
  return [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
}

function sampleRequest({ reference, target, operator, circle, amount }: TestOptions): Partial<ProviderRequest> {
  const given = Object.entries({ reference, target, operator, circle, amount }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
