import { z } from "zod";
import { SHOWN_STATES } from "../../../domain/callbacks/queries/read-callbacks.ts";
import { TARGET_STATES } from "../../../domain/callbacks/queries/read-targets.ts";
import { timeText } from "../output-fields.ts";

const kind = z.enum(["status", "complaint"]);
const version = z.literal([2, 3]);

/** A callback and the state of its delivery. */
export const callbackOutput = z
  .strictObject({
    callback_id: z.string(),
    account_id: z.string(),
    kind,
    order_id: z.string(),
    urid: z.string(),
    status: z.string(),
    complaint_ref: z.string().nullable(),
    version,
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

const attempt = z.strictObject({
  attempt: z.int(),
  at: timeText,
  url: z.string(),
  version,
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  milliseconds: z.int().describe("How long the attempt took."),
});

const request = z.strictObject({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).readonly(),
  body: z.string().nullable(),
});

/** A callback with its attempts and the request that the next attempt would send. */
export const callbackDetailOutput = callbackOutput
  .extend({
    attempt_log: z.array(attempt).readonly(),
    request: request.nullable().describe("As an attempt would send it now."),
    request_missing: z.string().nullable().describe("Why there is no request."),
  })
  .meta({ id: "CallbackDetail" });

/** One of an account's two callback URLs, for which callbacks are waiting. */
export const callbackTargetOutput = z
  .strictObject({
    account_id: z.string(),
    account_name: z.string(),
    kind,
    url: z.string().nullable(),
    version,
    state: z.enum(TARGET_STATES),
    paused: z.boolean(),
    failures: z.int().describe("Consecutive failures."),
    breaker: z.enum(["closed", "open"]),
    probe_at: timeText.nullable().describe("When an open breaker allows the next attempt."),
    next_at: timeText,
    waiting: z.int(),
    waiting_more: z.boolean().describe("Whether more callbacks are waiting than were counted."),
    oldest_at: timeText,
    last_http_status: z.int().nullable(),
    last_error: z.string().nullable(),
  })
  .meta({ id: "CallbackTarget" });
