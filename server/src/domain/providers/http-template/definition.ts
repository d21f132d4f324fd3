import { z } from "zod";
import { PROVIDER_FAILURES } from "../../shared/failure.ts";
import { type Fault, faultsOf } from "../settings/faults.ts";
import { checkPlaceholders } from "./check-placeholders.ts";
import { checkBody, checkCallback, checkText, checkUrl, checkValues } from "./checks.ts";
import { BUILT_IN_PLACEHOLDERS, type JsonTemplate } from "./template.ts";

// The JSON file that describes a provider (docs/providers.md). It contains only the names of secrets, never their values.
export const providerName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "Must be 1 to 32 small letters, digits or -, a letter first.");
export const secretName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}$/, "Must be 1 to 32 small letters, digits or _, a letter first.")
  .refine((name) => !BUILT_IN_PLACEHOLDERS.includes(name), "This name is reserved for a placeholder.");

const text = z.string().min(1, "Must not be empty.").max(2000, "Must not be longer than 2000 characters.");
const words = z.array(text);
const codes = z.record(z.string(), z.string());
const headers = z.record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "Is no header's name."), z.string().max(2000));

const jsonBody: z.ZodType<JsonTemplate> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(jsonBody), z.record(z.string(), jsonBody)]),
);

const body = z
  .strictObject({
    form: z.record(z.string(), z.string()).optional(),
    json: jsonBody.optional(),
    raw: z.string().max(20_000).optional(),
    escape: z.enum(["none", "xml", "json", "url"]).optional(),
    content_type: text.optional(),
  })
  .check(checkBody);

const optional = { operator_ref: text.optional(), message: text.optional(), reference: text.optional(), reason: text.optional() };
const paths = { status: text, ...optional };
const place = z.int().min(0).max(200);
const places = z.strictObject({
  status: place,
  operator_ref: place.optional(),
  message: place.optional(),
  reference: place.optional(),
  reason: place.optional(),
});

const read = z.discriminatedUnion("format", [
  z.strictObject({ format: z.literal("json"), ...paths, operator_ref_optional: z.boolean().default(false) }),
  z.strictObject({ format: z.literal("xml"), ...paths, operator_ref_optional: z.boolean().default(false) }),
  z
    .strictObject({
      format: z.literal("text"),
      pattern: text.optional(),
      separator: text.optional(),
      fields: places.optional(),
      count: z.int().min(1).max(200).optional(),
      operator_ref_optional: z.boolean().default(false),
      unmarked_end: z.boolean().default(false),
    })
    .check(checkText),
]);
export type ReadDefinition = z.infer<typeof read>;

const valuesOfSend = { success: words.min(1, "Name at least one value."), failure: words.default([]), pending: words.default([]) };
const foldCase = { fold_case: z.boolean().default(false) };
/** Failure codes that the client sees, by the provider's code. */
const reasons = { reasons: z.record(z.string(), z.enum(PROVIDER_FAILURES)).default({}) };
const sendValues = z.strictObject({ ...valuesOfSend, ...foldCase, ...reasons }).check(checkValues);
const findValues = z
  .strictObject({ ...valuesOfSend, reversed: words.default([]), not_found: words.default([]), ...foldCase, ...reasons })
  .check(checkValues);
const callbackValues = z.strictObject({ ...valuesOfSend, reversed: words.default([]), ...foldCase, ...reasons }).check(checkValues);
export type ValuesDefinition = z.infer<typeof sendValues> & Partial<z.infer<typeof findValues>>;

// A 5xx or a redirect is never definite, whatever its body.
const httpCode = z.string().regex(/^[24][0-9]{2}$/, "Must be an HTTP status from 200 to 299 or 400 to 499.");
const sendHttp = z.partialRecord(httpCode, z.enum(["read", "failure", "pending"])).default({});
const findHttp = z.partialRecord(httpCode, z.enum(["read", "failure", "pending", "not_found"])).default({});

const call = { method: z.enum(["GET", "POST"]), url: text, headers: headers.default({}), body: body.optional(), read };
const send = z.strictObject({ ...call, values: sendValues, http_status: sendHttp });
const find = z.strictObject({ ...call, values: findValues, http_status: findHttp });
export type CallDefinition = z.infer<typeof send> | z.infer<typeof find>;

const auth = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("header"), name: text, secret: secretName }),
  z.strictObject({ kind: z.literal("query"), name: text, secret: secretName }),
  z.strictObject({ kind: z.literal("hmac_sha256"), name: text, secret: secretName, prefix: z.string().default("") }),
]);

const callback = z
  .strictObject({
    auth,
    from: z.enum(["query", "form", "json", "xml"]),
    reference: text,
    status: text,
    operator_ref: text.optional(),
    message: text.optional(),
    reason: text.optional(),
    values: callbackValues,
  })
  .check(checkCallback);
export type CallbackDefinition = z.infer<typeof callback>;

const milliseconds = (most: number) => z.int().min(100).max(most);

const definition = z
  .strictObject({
    name: providerName,
    secrets: z.array(secretName).default([]),
    plain_http: z.boolean().default(false),
    operators: codes.optional(),
    circles: codes.optional(),
    amount: z.enum(["two_places", "four_places", "shortest", "whole", "paise"]).default("two_places"),
    timeouts: z
      .strictObject({ connect_ms: milliseconds(30_000).default(5000), whole_ms: milliseconds(120_000).default(30_000) })
      .default({ connect_ms: 5000, whole_ms: 30_000 }),
    quiet_ms: z.int().min(0).max(86_400_000).default(300_000),
    request: send,
    status: find,
    callback: callback.optional(),
  })
  .check(checkUrl, checkPlaceholders);

export type Definition = z.infer<typeof definition>;
export type ReadDefinitionResult =
  | { readonly ok: true; readonly definition: Definition }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Reads a provider's description. Every fault has its position in the file. */
export function readDefinition(value: unknown): ReadDefinitionResult {
  const read = definition.safeParse(value);
  return read.success ? { ok: true, definition: read.data } : { ok: false, faults: faultsOf(read.error) };
}
