import { z } from "zod";
import { SHOWN_STATES } from "../../../domain/callbacks/queries/read-callbacks.ts";
import { timeText } from "./output-fields.ts";

// Callbacks as clients and staff see them.

export const callbackKind = z.enum(["status", "complaint"]);
export const callbackVersion = z.literal([2, 3]);

/** A callback and the state of its delivery. */
export const callbackOutput = z
  .strictObject({
    callback_id: z.string(),
    account_id: z.string(),
    kind: callbackKind,
    order_id: z.string(),
    urid: z.string(),
    status: z.string(),
    complaint_ref: z.string().nullable(),
    version: callbackVersion,
    state: z.enum(SHOWN_STATES),
    attempts: z.int(),
    in_flight: z.boolean().describe("Whether it is being sent now."),
    next_at: timeText.nullable(),
    last_http_status: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: timeText,
    delivered_at: timeText.nullable(),
  })
  .meta({ id: "Callback" });

/** One attempt to deliver a callback. */
export const callbackAttemptOutput = z.strictObject({
  attempt: z.int(),
  at: timeText,
  url: z.string(),
  version: callbackVersion,
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  milliseconds: z.int().describe("How long the attempt took."),
  reply: z
    .string()
    .nullable()
    .describe("The beginning of the receiver's reply, with secrets and long numbers masked; null if it was empty."),
});

/** A request to a receiver, as it is sent. */
export const callbackRequestOutput = z.strictObject({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).readonly(),
  body: z.string().nullable(),
});

/** A callback with its attempts and the request that the next attempt would send. */
export const callbackDetailOutput = callbackOutput
  .extend({
    attempt_log: z.array(callbackAttemptOutput).readonly(),
    request: callbackRequestOutput.nullable().describe("As an attempt would send it now."),
    request_missing: z.string().nullable().describe("Why there is no request."),
  })
  .meta({ id: "CallbackDetail" });
