import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { isQuery, isTransaction } from "@corprail/connector";
import { checkSetup, operationsOf } from "@corprail/server/domain/providers/connector-setup";
import { differenceText } from "@corprail/server/domain/providers/recording/difference-text";
import { InvalidInput, type Performed, requestOf } from "@corprail/server/domain/providers/recording/perform";
import { type Finished, type RecordingSession, startRecording, whyNotRecordable } from "@corprail/server/domain/providers/recording/record";
import { formatReference } from "@corprail/server/domain/providers/references";
import { descriptionFaults, literalAddressFaults } from "@corprail/server/domain/providers/settings/check-description";
import type { DescribedProvider } from "@corprail/server/domain/providers/settings/described-provider";
import { systemClock } from "@corprail/server/platform/core/clock";
import { randomIds } from "@corprail/server/platform/core/ids";
import { formatMoney, type Money, NO_MONEY } from "@corprail/server/platform/core/money";
import { type JsonObject, parseStrictJson } from "@corprail/server/platform/core/strict-json";
import { egressOf } from "../shared/load-installation.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { faulty, readProviderFile, secretsFor } from "./provider-file.ts";

export type RecordOptions = {
  readonly operation?: string;
  readonly for?: "request" | "status";
  readonly input?: string;
  readonly reference?: string;
  readonly providerRef?: string;
  readonly target?: string;
  readonly operator?: string;
  readonly circle?: string;
  readonly amount?: Money;
  readonly spend?: boolean;
  readonly out?: string;
};

/** Carries an operation out at the real provider and keeps the conversation as a file, masked. */
export async function recordProvider(ctx: CommandContext, path: string, options: RecordOptions): Promise<Outcome> {
  const read = await readProviderFile(path);
  if (!read.ok) return faulty(path, read.faults);
  const described = read.file;
  const egress = egressOf(ctx.config);
  const faults = [...descriptionFaults(described), ...literalAddressFaults(egress, described)];
  if (faults.length > 0) return faulty(path, faults);
  const secrets = await secretsFor(ctx, path, described);
  const checked = checkSetup({ ...described, secrets });
  if (!checked.ok) return faulty(path, checked.faults);
  if (checked.missing.length > 0) return failed(`Secrets not found: ${checked.missing.join(", ")}`, { missing: checked.missing });
  const operation = chosenOperation(described, options);
  const why = whyNotRecordable(described, operation);
  if (why !== null) return failed(why);
  checkConsent(described, operation, options);
  const now = systemClock(ctx.config.clockOffsetSeconds).now();
  const session = startRecording({ ...described, secrets }, { egress, now });
  try {
    const performed = await operationOf(session, operation, options, now);
    const against = performed.part === "send" ? session.connector.unsuitable?.(requestOf(performed, now)) : null;
    if (against) return failed(`The provider's format cannot express this order: ${against.why}. Nothing was sent.`);
    return await recordInto(ctx, session, performed, options.out ?? `${described.provider}.${operation}.recording.json`);
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageFault(error.message);
    throw error;
  } finally {
    await session.close();
  }
}

function chosenOperation({ connector, settings, provider }: DescribedProvider, { operation }: RecordOptions): string {
  const names = [...operationsOf(connector, settings)];
  if (names.some((name) => name === operation) && operation !== undefined) return operation;
  const which = operation === undefined ? "Name an operation with --operation." : `${provider} has no operation ${operation}.`;
  throw new UsageFault(`${which} It has: ${names.join(", ")}.`);
}

// They cannot be taken back either, although they are queries.
const FINAL_QUERIES = ["bus.cancel"];
const ENQUIRIES = ["aeps.balance_enquiry", "aeps.mini_statement", "transfers.check_account"];

/** Nothing that moves money happens without being asked for by name, number and amount. */
function checkConsent({ provider }: DescribedProvider, operation: string, options: RecordOptions): void {
  const isSend = isTransaction(operation) && options.for !== "status";
  if (!isSend && !FINAL_QUERIES.includes(operation)) {
    if (isTransaction(operation) && options.reference === undefined) throw new UsageFault("Name the order to ask about with --reference.");
    return;
  }
  if (options.spend !== true) {
    const instead = isSend ? " A status query is free: --for status --reference REFERENCE." : "";
    throw new UsageFault(`${operation} is carried out at ${provider} and moves real money. Give --spend to do that, once.${instead}`);
  }
  if (!isSend) return;
  const missing = [
    ...(options.target === undefined ? ["--target"] : []),
    ...(options.amount === undefined && !ENQUIRIES.includes(operation) ? ["--amount"] : []),
  ];
  if (missing.length > 0) throw new UsageFault(`Real money is moved, so nothing is assumed. Give ${missing.join(" and ")}.`);
}

async function operationOf({ connector }: RecordingSession, operation: string, options: RecordOptions, now: number): Promise<Performed> {
  const given = options.input === undefined ? undefined : await jsonIn(options.input);
  if (isQuery(operation)) return { operation, part: "query", input: given ?? {} };
  const { referenceForm } = connector;
  const made = referenceForm ? formatReference(referenceForm, BigInt(now), now) : randomIds().order(now);
  const input: JsonObject = {
    reference: options.reference ?? made,
    operator: options.operator ?? "",
    target: options.target ?? "",
    amount: formatMoney(options.amount ?? NO_MONEY),
    circle: options.circle ?? null,
    ...(given === undefined ? {} : { details: given }),
    ...(options.providerRef === undefined ? {} : { provider_ref: options.providerRef }),
  };
  return { operation, part: options.for === "status" ? "status" : "send", input };
}

async function jsonIn(path: string): Promise<JsonObject> {
  const parsed = parseStrictJson(await readFile(path));
  if (!parsed.ok) throw new UsageFault(`${path} cannot be used: ${parsed.why.replace("the body", "it")}.`);
  return parsed.value;
}

/** The file is created first, because a conversation that cost money must not be lost for lack of a place. */
async function recordInto(ctx: CommandContext, session: RecordingSession, performed: Performed, out: string): Promise<Outcome> {
  const file = await created(out);
  try {
    const outcomes = await conversation(ctx, session, performed).catch(async (error: unknown) => {
      await rm(out, { force: true });
      throw error;
    });
    const finished = await session.finish();
    await file.writeFile(`${JSON.stringify(finished.recording, null, 2)}\n`);
    return resultOf(finished, outcomes, performed, out);
  } finally {
    await file.close();
  }
}

async function created(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (isThere) throw new UsageFault(`${path} exists. Name another file with --out. Nothing was sent.`);
    throw error;
  }
}

/** After a transaction its status is asked for, because both are needed to carry orders out. */
async function conversation(ctx: CommandContext, session: RecordingSession, performed: Performed): Promise<readonly JsonObject[]> {
  const { operation, part, input } = performed;
  const reference = input["reference"];
  if (part === "send") ctx.note(`Sending ${operation} with the reference ${reference}.`);
  const first = await session.perform(performed);
  if (part !== "send" || first["kind"] === "not_sent") return [first];
  const providerRef = first["providerRef"];
  const known = typeof providerRef === "string" ? { provider_ref: providerRef } : {};
  return [first, await session.perform({ operation, part: "status", input: { ...input, ...known } })];
}

function resultOf({ recording, differences }: Finished, outcomes: readonly JsonObject[], { input }: Performed, out: string): Outcome {
  const lines = recording.operations.map(({ operation, part, exchanges }, position) => {
    const { kind, why, reason } = outcomes[position] ?? {};
    const words = why ?? reason;
    const name = part === "status" ? `${operation}.status` : operation;
    return `${name}: ${kind}${words === undefined ? "" : ` (${words})`}, ${exchanges.length} ${exchanges.length === 1 ? "request" : "requests"}`;
  });
  const { provider, operations } = recording;
  const fields = {
    ...{ provider, file: out, reference: input["reference"] ?? null, differences },
    operations: operations.map(({ operation, part, outcome, exchanges }) => ({ operation, part, outcome, requests: exchanges.length })),
  };
  if (differences.length === 0) return done(`The recording is in ${out}. A replay shows the same.`, fields, lines.join("\n"));
  const report = [lines.join("\n"), "- provider, + replay of the masked recording", ...differences.map(differenceText)].join("\n\n");
  return failed(`The recording is in ${out}, but a replay differs, because masked values decide.`, fields, report);
}
