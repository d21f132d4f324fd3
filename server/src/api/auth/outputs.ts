import { z } from "zod";
import type { Stage } from "../../domain/auth/sessions/session-store.ts";
import type { Method } from "../../domain/auth/sessions/sign-in.ts";
import { timeText } from "../sites/outputs/output-fields.ts";
import { anyRole } from "../sites/outputs/team-view.ts";

const STAGES = ["half", "enrol", "full"] as const satisfies readonly Stage[];
const METHODS = ["totp", "passkey", "recovery"] as const satisfies readonly Method[];

const stage = z.enum(STAGES).describe("half: the second factor is still required. enrol: it must be set up first. full: signed in.");
const methods = z.array(z.enum(METHODS)).readonly().describe("The second factors that the user has.");
const mode = z.enum(["trial", "live"]).describe("Whether real money moves on this installation.");
const mail = z.boolean().describe("Whether the installation can email links, such as those for a new password.");
const language = z.string().nullable().describe("The language that the user chose for the portal, such as `hi`. Null: none was chosen.");
const unixSeconds = z.int().describe("Unix seconds.");
const recoveryCodes = z.array(z.string()).readonly().describe("Shown once.");

/** A reply without fields. */
export const emptyOutput = z.strictObject({});

/** How far a sign-in has come. */
export const signInOutput = z.strictObject({ stage, methods }).meta({ id: "SignIn" });

/** The account of a portal session. */
export const sessionAccountOutput = z.strictObject({
  account_id: z.string(),
  name: z.string(),
  sandbox: z.boolean(),
  standing: z.enum(["active", "paused", "inactive"]),
  sandbox_id: z.string().nullable().describe("The account's sandbox account, which test mode shows."),
});

const signedIn = z
  .strictObject({
    signed_in: z.literal(true),
    stage,
    csrf_token: z.string(),
    proved_at: unixSeconds,
    methods,
    user: z.strictObject({ user_id: z.string(), email: z.string(), name: z.string(), role: anyRole, language }),
    needs: z.strictObject({ second_factor: z.boolean() }),
    mode,
    mail,
    account: sessionAccountOutput.optional().describe("At the portal only."),
    single_sign_on: z.boolean().describe("Whether the user can confirm their identity at the identity provider that signed them in."),
    viewing: z.literal(true).optional().describe("Set for platform staff who view a client's portal read-only."),
  })
  .meta({ id: "SignedIn" });

const signOnOffer = z
  .strictObject({ name: z.string().nullable().describe("The identity provider. Null if it depends on the email address.") })
  .describe("Absent if the site has no single sign-on.");

/** Who is signed in. */
export const sessionOutput = z.union([
  signedIn,
  z.strictObject({ signed_in: z.literal(false), mode, mail, single_sign_on: signOnOffer.optional() }).meta({ id: "SignedOut" }),
]);

/** What a browser gets for its authenticator. The WebAuthn library defines the fields. */
export const passkeyOptionsOutput = z.strictObject({
  options: z
    .custom<object>((value) => typeof value === "object" && value !== null)
    .meta({ type: "object", properties: {}, additionalProperties: {} }),
});

export const proofOutput = z.strictObject({ proved_at: unixSeconds }).meta({ id: "Proof" });

/** An invitation as the person with its link sees it. */
export const openInvitationOutput = z
  .strictObject({
    email: z.string().nullable().describe("Null if the invited person chooses it."),
    account_name: z.string().nullable(),
    role: anyRole,
    expires_at: timeText,
  })
  .meta({ id: "OpenInvitation" });

const passkey = z
  .strictObject({ passkey_id: z.string(), name: z.string(), created_at: timeText, last_used_at: timeText.nullable() })
  .meta({ id: "Passkey" });

const openSession = z
  .strictObject({
    session_id: z.string(),
    current: z.boolean(),
    created_at: timeText,
    last_seen_at: timeText,
    address: z.string(),
    user_agent: z.string(),
  })
  .meta({ id: "OpenSession" });

/** A user's second factors and sessions. */
export const securityOutput = z
  .strictObject({
    totp: z.strictObject({ enabled: z.boolean() }),
    passkeys: z.array(passkey).readonly(),
    recovery_codes_left: z.int(),
    sessions: z.array(openSession).readonly(),
  })
  .meta({ id: "Security" });

export const newTotpOutput = z.strictObject({ secret: z.string(), uri: z.string() }).meta({ id: "NewTotp" });
export const recoveryCodesOutput = z.strictObject({ recovery_codes: recoveryCodes }).meta({ id: "RecoveryCodes" });
export const newPasskeyOutput = z
  .strictObject({ passkey_id: z.string(), recovery_codes: recoveryCodes.nullable().describe("With the first second factor only.") })
  .meta({ id: "NewPasskey" });
