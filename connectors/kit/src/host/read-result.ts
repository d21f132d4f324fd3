import { z } from "zod";
import type { JsonObject } from "../json.ts";
import { amount } from "../operations/fields.ts";
import { QUERIES, type QueryName, type QueryValue, TRANSACTIONS, type TransactionName } from "../operations.ts";
import { DECLINE_CLASSES, DECLINE_REASONS, type Outcome, type QueryResult, REFUSAL_CODES, type StatusFinding } from "../outcome.ts";
import { CALLBACK_REFUSALS, type CallbackReading } from "../plugin.ts";

const LONGEST_TEXT = 500;

// Words for staff are cut, not refused: a long sentence must not turn an answer into none.
const words = z.string().transform((text) =>
  text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, LONGEST_TEXT),
);
const reference = z.string().max(200);
const facts = { providerRef: reference.optional(), balance: amount.optional(), cost: amount.optional() };
const failure = z.enum(DECLINE_REASONS).optional();

const outcomes = [
  z.object({
    kind: z.literal("succeeded"),
    operatorRef: reference,
    result: z.record(z.string(), z.json()).optional(),
    recheckAt: z.int().positive().optional(),
    ...facts,
  }),
  z.object({ kind: z.literal("declined"), reason: words, decline: z.enum(DECLINE_CLASSES).optional(), failure, ...facts }),
  z.object({ kind: z.enum(["not_sent", "unknown", "pending"]), why: words, ...facts }),
] as const;
const reversed = z.object({ kind: z.literal("reversed"), reason: words, failure, ...facts });
const notFound = z.object({ kind: z.literal("not_found") });

const outcome = z.discriminatedUnion("kind", outcomes);
const finding = z.discriminatedUnion("kind", [...outcomes, reversed, notFound]);
const reported = z.discriminatedUnion("kind", [...outcomes, reversed, notFound, z.object({ kind: z.literal("ask") })]);

const queryResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answered"), value: z.unknown() }),
  z.object({ kind: z.literal("refused"), reason: words, code: z.enum(REFUSAL_CODES).optional() }),
  z.object({ kind: z.literal("unavailable"), why: words }),
]);

const reading = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("report"),
    reference: reference.min(1),
    referenceIs: z.literal("provider_ref").optional(),
    finding: reported,
  }),
  z.object({
    kind: z.literal("refused"),
    reason: z.enum(CALLBACK_REFUSALS),
    authentic: z.boolean().optional(),
    reference: reference.optional(),
  }),
]);

/** A value that a plug-in returned, or what is wrong with it, with the place. */
export type Read<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly fault: string };

export function readOutcome(name: TransactionName, value: unknown): Read<Outcome> {
  return withResult(name, read<Outcome>(outcome, value));
}

export function readFinding(name: TransactionName, value: unknown): Read<StatusFinding> {
  return withResult(name, read<StatusFinding>(finding, value));
}

export function readCallbackReading(value: unknown): Read<CallbackReading> {
  return read<CallbackReading>(reading, value);
}

export function readQueryResult<Name extends QueryName>(name: Name, value: unknown): Read<QueryResult<QueryValue<Name>>> {
  const result = read<QueryResult<unknown>>(queryResult, value);
  if (!result.ok) return result;
  if (result.value.kind !== "answered") return { ok: true, value: result.value };
  const answered = read<QueryValue<Name>>(QUERIES[name].value, result.value.value, "value");
  return answered.ok ? { ok: true, value: { kind: "answered", value: answered.value } } : answered;
}

// A success whose extras are wrong is no usable answer: a status question will give it again.
function withResult<Found extends StatusFinding>(name: TransactionName, found: Read<Found>): Read<Found> {
  if (!found.ok || found.value.kind !== "succeeded" || found.value.result === undefined) return found;
  const result = read<JsonObject>(TRANSACTIONS[name].result, found.value.result, "result");
  return result.ok ? { ok: true, value: { ...found.value, result: result.value } } : result;
}

function read<Value>(schema: z.ZodType, value: unknown, at = ""): Read<Value> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: withoutUndefined(result.data) as Value };
  const [issue] = result.error.issues;
  const place = [at, ...(issue?.path ?? []).map(String)].filter((step) => step !== "").join(".");
  const message = issue?.message ?? "is not valid";
  return { ok: false, fault: (place === "" ? message : `${place}: ${message}`).slice(0, LONGEST_TEXT) };
}

function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}
