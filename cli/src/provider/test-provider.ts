import { readFile } from "node:fs/promises";
import type { ProviderRequest } from "@corprail/server/domain/providers/connector";
import { checkSetup } from "@corprail/server/domain/providers/connector-setup";
import { dryRun, type SampleAnswer } from "@corprail/server/domain/providers/description/dry-run/dry-run";
import { type DoneRun, dryRunFields } from "@corprail/server/domain/providers/description/dry-run/dry-run-fields";
import { dryRunText } from "@corprail/server/domain/providers/description/dry-run/dry-run-text";
import type { Secrets } from "@corprail/server/domain/providers/description/request/scope";
import { descriptionFaults, literalAddressFaults } from "@corprail/server/domain/providers/settings/check-description";
import type { DescribedProvider } from "@corprail/server/domain/providers/settings/described-provider";
import { systemClock } from "@corprail/server/platform/core/clock";
import type { Money } from "@corprail/server/platform/core/money";
import { egressOf } from "../load-installation.ts";
import { done, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
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
  const now = systemClock(ctx.config.clockOffsetSeconds).now();
  const { operation } = options;
  const run = dryRun({
    ...{ description: settings, secrets, sample: sampleRequest(options), now },
    ...(operation === undefined ? {} : { operation }),
    ...(answer ? { answer } : {}),
  });
  return run.kind === "invalid" ? faulty(path, run.faults) : shown(run);
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

function shown(run: DoneRun): Outcome {
  const fields = { provider: run.provider, connector: "description", missing: run.missing, ...dryRunFields(run) };
  return done("Nothing was sent.", fields, dryRunText(run));
}

/** A status without a file is an answer without a body. */
async function sampleAnswer(options: TestOptions): Promise<SampleAnswer | null> {
  if (options.answer === undefined && options.httpStatus === undefined) return null;
  const body = options.answer === undefined ? Buffer.alloc(0) : await readFile(options.answer);
  const step = options.step === undefined ? {} : { step: options.step };
  return { body, httpStatus: options.httpStatus ?? 200, to: options.for ?? "request", ...step };
}

function sampleRequest({ reference, target, operator, circle, amount }: TestOptions): Partial<ProviderRequest> {
  const given = Object.entries({ reference, target, operator, circle, amount }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
