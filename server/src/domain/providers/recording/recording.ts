import { z } from "zod";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { CONNECTORS } from "../store.ts";

const json: z.ZodType<JsonObject> = z.record(z.string(), z.json());

const answer = z.strictObject({
  status: z.int().min(100).max(599),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** The bytes of an answer that is not UTF-8, one character each. */
  encoding: z.literal("latin1").optional(),
  /** The answer did not say where it ends. */
  unmarked_end: z.literal(true).optional(),
});
const noAnswer = z.strictObject({ kind: z.enum(["not_sent", "unknown"]), why: z.string(), fault: z.string().optional() });

const exchange = z.strictObject({
  /** The name of the call, such as login or recharge.pay.status. */
  operation: z.string(),
  /** The request as lines: method and address, headers, an empty line, the body. */
  request: z.array(z.string()).min(1),
  answer: z.union([answer, noAnswer]),
});
export type RecordedExchange = z.infer<typeof exchange>;
export type RecordedAnswer = RecordedExchange["answer"];

const PARTS = ["send", "status", "query"] as const;

const operation = z.strictObject({
  operation: z.string(),
  part: z.enum(PARTS),
  input: json,
  exchanges: z.array(exchange),
  outcome: json,
});
export type RecordedOperation = z.infer<typeof operation>;
export type OperationPart = RecordedOperation["part"];

export const RECORDING_FORMAT = "corprail-recording";

const recording = z.strictObject({
  format: z.literal(RECORDING_FORMAT),
  version: z.literal(1),
  provider: z.string(),
  connector: z.enum(CONNECTORS),
  /** The time that all its calls have. */
  recorded_at: z.iso.datetime({ precision: 3 }),
  /** Unique ids and nonces are made of it. */
  random: z.string().regex(/^[0-9a-f]{32}$/),
  settings: json,
  operations: z.array(operation).min(1),
});
export type Recording = z.infer<typeof recording>;

export type ReadRecording = { readonly ok: true; readonly recording: Recording } | { readonly ok: false; readonly why: string };

/** Whether a file is meant to be a recording, whatever its version. */
export function isRecording(value: JsonObject): boolean {
  return value["format"] === RECORDING_FORMAT;
}

export function readRecording(value: JsonObject): ReadRecording {
  if (!isRecording(value)) return { ok: false, why: `It is not a recording: "format" is not "${RECORDING_FORMAT}".` };
  if (value["version"] !== 1)
    return { ok: false, why: `Its version is ${JSON.stringify(value["version"])}; this release reads version 1.` };
  const read = recording.safeParse(value);
  if (read.success) return { ok: true, recording: read.data };
  const [issue] = read.error.issues;
  return { ok: false, why: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "It has another form."}` };
}
