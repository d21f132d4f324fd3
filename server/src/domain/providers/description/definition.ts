import { z } from "zod";
import { finish, inSlices, type Sliced } from "../../../platform/core/slices.ts";
import { type Fault, faultsOf } from "../settings/faults.ts";
import { checkDescription } from "./check/check-description.ts";
import { callback, callbackReply } from "./language/callbacks.ts";
import { computed } from "./language/computed.ts";
import { login, operations, polling, readOperations } from "./language/operations.ts";
import { read } from "./language/read.ts";
import { headers, parameters } from "./language/request.ts";
import { ownName, providerName, seconds, template, text } from "./language/words.ts";

// The JSON file that describes a provider, version 2 (docs/providers.md). It contains only the names of secrets, never their values.

const codeMap = z.strictObject({
  by: template
    .optional()
    .describe("Our key. {operator} for a map named operators and {circle} for one named circles; else for example {operator}/{circle}."),
  values: z
    .record(z.string().min(1, "A code must not be empty."), z.union([text, z.record(ownName, z.string())]))
    .describe("The provider's code, or several attributes, by our key."),
  else: text.optional().describe("The code for every other key. Without it such an order is not sent."),
});
export type CodeMap = z.infer<typeof codeMap>;

const reference = z.strictObject({
  characters: z.enum(["digits", "capitals_and_digits"]).default("capitals_and_digits"),
  length: z.int().min(8, "Must be at least 8.").max(40, "Must be at most 40.").describe("The whole length, with date and prefix."),
  date: z.enum(["none", "yyMMdd", "yyyyMMdd"]).default("none").describe("The day in India that precedes the rest."),
  prefix: z
    .string()
    .regex(/^[A-Z0-9]{0,8}$/, "Must be at most 8 capitals or digits.")
    .default(""),
});

const network = z.strictObject({
  client_certificate: ownName.optional().describe("The secret with the client certificate, PEM."),
  client_key: ownName.optional().describe("The secret with its key, PEM."),
  ca: ownName.optional().describe("The secret with the certificates to trust instead of the system's, PEM."),
  proxy: template.optional().describe("http://host:port of the proxy that requests go through. It may contain {secret.name}."),
  source_address: text.optional().describe("The address of this machine that requests come from."),
});
export type NetworkDefinition = z.infer<typeof network>;

export const AMOUNT_FORMATS = ["two_places", "four_places", "shortest", "whole", "paise"] as const;

const DEFAULT_POLLING = { quiet_seconds: 300 };
const DEFAULT_TIMEOUTS = { connect_seconds: 5, whole_seconds: 30 };

/** The language without the checks across several fields, from which the published JSON Schema is made. */
export const descriptionSchema = z
  .strictObject({
    $schema: z.string().optional().describe("The address of this schema, for editors."),
    version: z.literal(2, { error: "Must be 2, the version of the description language." }),
    name: providerName,
    base_url: text.optional().describe("https://host/path, which precedes every url that begins with /."),
    plain_http: z.boolean().default(false).describe("Allows http://, where secrets are sent unencrypted."),
    secrets: z.array(ownName).default([]).describe("The names of the secrets, used as {secret.name}. Their values are stored separately."),
    constants: z.record(ownName, z.string().max(2000)).default({}).describe("Fixed values, used as {constant.name}."),
    codes: z.record(ownName, codeMap).default({}).describe("The provider's codes, used as {code.name} or {code.name.attribute}."),
    amount: z.enum(AMOUNT_FORMATS).default("two_places").describe("How {amount} is written. Amounts are never rounded."),
    times: z.enum(["Asia/Kolkata", "UTC"]).default("Asia/Kolkata").describe("The time zone of written times."),
    reference: reference.optional().describe("The form that the provider demands of references. Without it, ours are sent as they are."),
    headers: headers.default({}).describe("Headers of every request except the login."),
    query: parameters.default({}).describe("Query parameters of every request except the login."),
    read: read.optional().describe("How answers are read, unless an operation says otherwise."),
    computed: z.record(ownName, computed).default({}),
    login: login.optional().describe("A call that gives a token, used as {token}."),
    limits: z
      .strictObject({
        requests_per_second: z.number().min(0.01).max(10_000).optional(),
        concurrent: z.int().min(1).max(256).optional(),
      })
      .default({})
      .describe("What the provider allows. A request that would have to wait too long is not sent."),
    polling: z
      .strictObject({
        ...polling,
        quiet_seconds: polling.quiet_seconds.unwrap().default(DEFAULT_POLLING.quiet_seconds),
        balance_every_seconds: seconds(300, 86_400)
          .optional()
          .describe("The shortest time between two balance queries, if the provider allows them less often than every five minutes."),
      })
      .default(DEFAULT_POLLING)
      .describe("When the status of a transaction in doubt is queried."),
    timeouts: z
      .strictObject({
        connect_seconds: seconds(0.1, 60).default(DEFAULT_TIMEOUTS.connect_seconds),
        whole_seconds: seconds(0.1, 600).default(DEFAULT_TIMEOUTS.whole_seconds),
      })
      .default(DEFAULT_TIMEOUTS),
    network: network.default({}),
    operations,
    callbacks: z.array(callback).default([]),
    callback_reply: callbackReply.optional(),
  })
  .describe("A provider's description, version 2.");

export type Description = z.infer<typeof descriptionSchema>;
export type ReadDescription =
  | { readonly ok: true; readonly definition: Description }
  | { readonly ok: false; readonly faults: readonly Fault[] };

// Routing asks what a stored description can do for every order, so a description is read once.
const known = new WeakMap<object, ReadDescription>();

/** Reads a provider's description. Every fault has its position in the file. */
export function readDescription(value: unknown): ReadDescription {
  return knownOf(value) ?? keep(value, finish(readAnew(value)));
}

/** The same without holding up other requests: a large description takes some tenths of a second. */
export async function readDescriptionInSlices(value: unknown): Promise<ReadDescription> {
  return knownOf(value) ?? keep(value, await inSlices(readAnew(value)));
}

function knownOf(value: unknown): ReadDescription | undefined {
  return typeof value === "object" && value !== null ? known.get(value) : undefined;
}

function keep(value: unknown, read: ReadDescription): ReadDescription {
  if (typeof value === "object" && value !== null) known.set(value, read);
  return read;
}

// Operations are most of a large description, so each is a part of its own.
const withoutOperations = descriptionSchema.extend({ operations: z.record(z.string(), z.unknown()) });

function* readAnew(value: unknown): Sliced<ReadDescription> {
  const parsed = withoutOperations.safeParse(value);
  yield;
  const written = operationsIn(value);
  // What is not an object is reported with the rest of the description.
  const read = written === null ? { operations: {}, faults: [] } : yield* readOperations(written);
  const shapeFaults = [...(parsed.success ? [] : faultsOf(parsed.error)), ...read.faults];
  if (!parsed.success || shapeFaults.length > 0) return { ok: false, faults: shapeFaults };
  const definition: Description = { ...parsed.data, operations: read.operations };
  const faults = yield* checkDescription(definition);
  return faults.length === 0 ? { ok: true, definition } : { ok: false, faults };
}

function operationsIn(value: unknown): Readonly<Record<string, unknown>> | null {
  const written = typeof value === "object" && value !== null && "operations" in value ? value.operations : null;
  return typeof written === "object" && written !== null && !Array.isArray(written) ? { ...written } : null;
}
