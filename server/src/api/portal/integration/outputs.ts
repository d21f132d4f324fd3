import { z } from "zod";
import { callbackRequestOutput, callbackVersion } from "../../sites/callback-outputs.ts";
import { timeText } from "../../sites/output-fields.ts";

const signingSecret = z
  .strictObject({
    credential_id: z.string(),
    created_at: timeText,
    expires_at: timeText.nullable().describe("When a replaced secret stops working; null for the current one."),
    calls_24h: z.int(),
    last_used_at: timeText.nullable(),
  })
  .meta({ id: "SigningSecret" });

/** Token and secrets, without their values. */
export const credentialsOutput = z
  .strictObject({
    token: z
      .strictObject({
        masked: z.string(),
        created_at: timeText,
        last_used_at: timeText.nullable(),
        last_address: z.string().nullable(),
      })
      .nullable(),
    signing_secrets: z.array(signingSecret).readonly(),
    signing_required: z.boolean(),
    callback_secret: z.strictObject({ set: z.boolean(), created_at: timeText.nullable() }),
  })
  .meta({ id: "Credentials" });

// Each secret is shown once, in the reply that creates it.
export const newTokenOutput = z.strictObject({ api_token: z.string() }).meta({ id: "NewToken" });
export const newSigningSecretOutput = z.strictObject({ signing_secret: z.string() }).meta({ id: "NewSigningSecret" });
export const newCallbackSecretOutput = z.strictObject({ callback_secret: z.string() }).meta({ id: "NewCallbackSecret" });

const receiverAnswer = {
  delivered: z.boolean(),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
};

/** Callback URLs, version and the result of the last version 3 test. */
export const callbackSettingsOutput = z
  .strictObject({
    callback_url: z.string().nullable(),
    complaint_callback_url: z.string().nullable(),
    version: callbackVersion,
    callback_secret_set: z.boolean(),
    callback_secret_created_at: timeText.nullable(),
    v3_test: z
      .strictObject({
        at: timeText,
        ...receiverAnswer,
        holds: z.boolean().describe("Whether the URL and the secret are still those of the test."),
      })
      .nullable(),
    can_switch: z.boolean().describe("Whether callbacks can be switched to version 3 now."),
  })
  .meta({ id: "CallbackSettings" });

/** How the receiver answered a test callback. */
export const callbackTestOutput = z
  .strictObject({ ...receiverAnswer, request: callbackRequestOutput.nullable() })
  .meta({ id: "CallbackTest" });

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

/** A request, and for a refused signature the six lines that the service computed. */
export const callDetailOutput = callOutput.extend({ signature: signature.nullable() }).meta({ id: "CallDetail" });

const group = z.strictObject({
  error: z.string(),
  path: z.string(),
  count: z.int(),
  last_at: timeText,
  example: z.string().describe("The call_id of the newest one."),
});

/** Refusals of the last hours by error and path. */
export const callGroupsOutput = z.strictObject({ items: z.array(group.meta({ id: "CallGroup" })).readonly() });

const LINES = ["method", "path", "query", "body_sha256", "timestamp", "nonce"] as const;

const comparedLine = z
  .strictObject({ name: z.enum(LINES), expected: z.string(), given: z.string(), same: z.boolean(), hint: z.string().nullable() })
  .meta({ id: "ComparedLine" });

/** The computed lines beside the client's. */
export const signatureComparisonOutput = z
  .strictObject({ lines: z.array(comparedLine).readonly(), verdict: z.string() })
  .meta({ id: "SignatureComparison" });
