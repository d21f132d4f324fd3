import { z } from "zod";
import { callbackRequestOutput, callbackVersion } from "../../sites/outputs/callback-outputs.ts";
import { timeText } from "../../sites/outputs/output-fields.ts";
import { tokenOutput } from "../../sites/outputs/token-view.ts";

const signingSecret = z
  .strictObject({
    credential_id: z.string(),
    created_at: timeText,
    expires_at: timeText.nullable().describe("When a replaced secret stops working; null for the current one."),
    calls_24h: z.int(),
    last_used_at: timeText.nullable(),
  })
  .meta({ id: "SigningSecret" });

const tokens = z.array(tokenOutput).readonly();

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
      .nullable()
      .describe("The primary token."),
    tokens: tokens.describe("All tokens that were not revoked, the primary one first."),
    signing_secrets: z.array(signingSecret).readonly(),
    signing_required: z.boolean(),
    callback_secret: z.strictObject({ set: z.boolean(), created_at: timeText.nullable() }),
  })
  .meta({ id: "Credentials" });

// Each secret is shown once, in the reply that creates it.
export const newTokenOutput = z.strictObject({ api_token: z.string() }).meta({ id: "NewToken" });
export const createdTokenOutput = z.strictObject({ token_id: z.string(), api_token: z.string() }).meta({ id: "CreatedToken" });
export const tokensOutput = z.strictObject({ tokens }).meta({ id: "ApiTokens" });
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
