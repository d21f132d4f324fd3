import { z } from "zod";
import { TARGET_STATES } from "../../../domain/callbacks/queries/read-targets.ts";
import { callbackKind, callbackVersion } from "../../sites/callback-outputs.ts";
import { timeText } from "../../sites/output-fields.ts";

/** One of an account's two callback URLs, for which callbacks are waiting. */
export const callbackTargetOutput = z
  .strictObject({
    account_id: z.string(),
    account_name: z.string(),
    kind: callbackKind,
    url: z.string().nullable(),
    version: callbackVersion,
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
