import { z } from "zod";
import type { CallRow } from "../../../domain/api-log/read-calls.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeText } from "./output-fields.ts";

/** A request to the client API. */
export const callOutput = z
  .strictObject({
    call_id: z.string(),
    at: timeText,
    method: z.string(),
    path: z.string(),
    status: z.int(),
    error: z.string().nullable(),
    code: z.int().nullable(),
    milliseconds: z.number(),
    address: z.string(),
    urid: z.string().nullable(),
    order_id: z.string().nullable(),
    signed: z.enum(["none", "secret", "old_secret", "token"]),
    credential_id: z.string().nullable(),
    request_id: z.string(),
    token_id: z.string().nullable().describe("The API token of the request."),
    times: z.int().describe("The number of requests in this row. Repeated similar refusals are merged."),
  })
  .meta({ id: "Call" });

const signature = z
  .strictObject({
    method: z.string(),
    path: z.string(),
    canonical_query: z.string(),
    body_sha256: z.string(),
    timestamp: z.string(),
    nonce: z.string(),
    reason: z.string(),
  })
  .meta({ id: "RefusedSignature" });

/** A request with its masked bodies, and for a refused signature the six lines that the service computed. */
export const callDetailOutput = callOutput
  .extend({
    request_body: z.string().nullable().describe("The body, or the query of a GET, masked and shortened; null if it is not kept."),
    reply_body: z.string().nullable().describe("The reply, masked and shortened; null if it is not kept."),
    signature: signature.nullable(),
  })
  .meta({ id: "CallDetail" });

/** The key of an API log entry: its time and request id. */
export const callId = z.string().transform((text, ctx) => {
  const [, at, requestId] = /^([0-9]{13})-([0-9A-Z]{20})$/.exec(text) ?? [];
  if (at !== undefined && requestId !== undefined) return { at: new Date(Number(at)), requestId };
  ctx.addIssue("Must be the call_id of an API log entry.");
  return z.NEVER;
});

export function callItem(row: CallRow): z.output<typeof callOutput> {
  return {
    call_id: writeCallId(row.at, row.request_id),
    at: indiaDateTime(row.at.getTime()),
    method: row.method,
    path: row.path,
    status: row.status,
    error: row.error,
    code: row.code,
    milliseconds: row.milliseconds,
    address: row.address,
    urid: row.reference,
    order_id: row.order_id,
    signed: row.signed,
    credential_id: row.credential_id,
    request_id: row.request_id,
    token_id: row.token_id,
    times: row.times,
  };
}

export function writeCallId(at: Date, requestId: string): string {
  return `${at.getTime()}-${requestId}`;
}
