import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { passkeyOptions, registerPasskey, removePasskey } from "../../domain/auth/factors/register-passkey.ts";
import { confirmTotpCode, disableTotp, renewRecoveryCodes, startTotp } from "../../domain/auth/factors/switch-totp.ts";
import { changePassword } from "../../domain/auth/passwords/change-password.ts";
import { readSecurity } from "../../domain/auth/read-security.ts";
import { completeEnrolment } from "../../domain/auth/sessions/complete-sign-in.ts";
import { endOtherSessions, endSession } from "../../domain/auth/sessions/end-sessions.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { WithCookie } from "../sites/actions/action.ts";
import { conflict, noSuch, Refusal } from "../sites/actions/refusal.ts";
import { type AuthAction, type AuthCall, action } from "./action.ts";
import { browserOf, cookieOf, tooMany, weak } from "./answers.ts";
import { code, id, newPasskey, nothing, password, personName } from "./fields.ts";
import { emptyOutput, newPasskeyOutput, newTotpOutput, passkeyOptionsOutput, recoveryCodesOutput, securityOutput } from "./outputs.ts";

// A fresh proof prevents a stranger at an unlocked screen from adding their own sign-in method.
const proven = { roles: "everybody", proof: "recent" } as const;

const showSecurity = action({
  path: "GET /security",
  summary: "Shows the user's second factors and sessions.",
  roles: "everybody",
  input: z.object({}),
  output: securityOutput,
  handler: async ({ deps, session }) => {
    const { totp, passkeys, recoveryCodesLeft, sessions } = await readSecurity(deps.auth, session.userId);
    const time = (at: Date) => indiaDateTime(at.getTime());
    return {
      totp: { enabled: totp },
      passkeys: passkeys.map((row) => ({
        passkey_id: row.passkey_id,
        name: row.name,
        created_at: time(row.created_at),
        last_used_at: row.last_used_at && time(row.last_used_at),
      })),
      recovery_codes_left: recoveryCodesLeft,
      sessions: sessions.map((row) => ({
        session_id: row.session_id,
        current: row.session_id === session.sessionId,
        created_at: time(row.created_at),
        last_seen_at: time(row.last_seen_at),
        address: row.address,
        user_agent: row.user_agent,
      })),
    };
  },
});

const newPassword = action({
  ...proven,
  path: "POST /password",
  summary: "Changes the user's password and ends their other sessions.",
  input: z.strictObject({ current: password, next: password }),
  output: emptyOutput,
  handler: async (call) => {
    const { userId, sessionId } = call.session;
    const result = await changePassword(call.deps.auth, { userId, sessionId, ...call.input, browser: browserOf(call) });
    if (result.kind === "throttled") return tooMany(result);
    if (result.kind === "weak") return weak("next", result);
    if (result.kind === "refused")
      return new Refusal("invalid_request", "The current password is wrong.", { fields: { current: "Is wrong." } });
    return {};
  },
});

const revokeSession = action({
  path: "POST /security/sessions/:session_id/revoke",
  summary: "Ends one of the user's sessions.",
  roles: "everybody",
  input: z.strictObject({ session_id: id }),
  output: emptyOutput,
  handler: async ({ deps, session, input }) => {
    const ended = await endSession(deps.auth, session.userId, input.session_id, "session_revoked");
    if (ended.kind === "not_found") return new Refusal("not_found", "There is no such session, or it has already ended.");
    return input.session_id === session.sessionId ? new WithCookie({}, { token: null }) : {};
  },
});

const revokeOtherSessions = action({
  path: "POST /security/sessions/revoke-others",
  summary: "Ends the user's other sessions.",
  roles: "everybody",
  input: nothing,
  output: z.strictObject({ ended: z.int() }).meta({ id: "EndedSessions" }),
  handler: async ({ deps, session }) => ({ ended: await endOtherSessions(deps.auth, session) }),
});

const startApp = action({
  ...proven,
  path: "POST /security/totp/start",
  enrolling: true,
  summary: "Creates a secret for an authenticator app, to be confirmed.",
  input: nothing,
  output: newTotpOutput,
  handler: async ({ deps, session }) => {
    const started = await startTotp(deps.auth, session.userId);
    return started.kind === "conflict" ? conflict(started.reason) : { secret: started.secret, uri: started.uri };
  },
});

const confirmApp = action({
  path: "POST /security/totp/confirm",
  summary: "Switches the authenticator app on with its first code.",
  roles: "everybody",
  enrolling: true,
  input: z.strictObject({ code }),
  output: recoveryCodesOutput,
  handler: async (call) => {
    const result = await confirmTotpCode(call.deps.auth, call.session, call.input.code);
    if (result.kind === "throttled") return tooMany(result);
    if (result.kind === "refused") return new Refusal("invalid_request", "The code is wrong.", { fields: { code: "Is wrong." } });
    if (result.kind === "conflict") return conflict(result.reason);
    return await enrolled(call, { recovery_codes: result.recoveryCodes });
  },
});

const disableApp = action({
  ...proven,
  path: "POST /security/totp/disable",
  summary: "Switches the authenticator app off.",
  input: nothing,
  output: emptyOutput,
  handler: async ({ deps, session }) => {
    const result = await disableTotp(deps.auth, session.userId);
    return result.kind === "conflict" ? conflict(result.reason) : {};
  },
});

const renewCodes = action({
  ...proven,
  path: "POST /security/recovery-codes",
  summary: "Creates ten new recovery codes and revokes the old ones.",
  input: nothing,
  output: recoveryCodesOutput,
  handler: async ({ deps, session }) => {
    const result = await renewRecoveryCodes(deps.auth, session.userId);
    return result.kind === "conflict" ? conflict(result.reason) : { recovery_codes: result.recoveryCodes };
  },
});

const newPasskeyOptions = action({
  ...proven,
  path: "POST /security/passkeys/options",
  enrolling: true,
  summary: "Returns what a browser needs to make a passkey.",
  input: nothing,
  output: passkeyOptionsOutput,
  handler: async (call) => ({ options: await passkeyOptions(call.deps.auth, call.session, call) }),
});

const addPasskey = action({
  path: "POST /security/passkeys",
  summary: "Registers a passkey.",
  roles: "everybody",
  enrolling: true,
  input: z.strictObject({ name: personName, response: newPasskey }),
  output: newPasskeyOutput,
  handler: async (call) => {
    const response = call.input.response as unknown as RegistrationResponseJSON;
    const { userId } = call.session;
    const made = await registerPasskey(call.deps.auth, { userId, name: call.input.name, response, site: call });
    if (made.kind === "refused") return new Refusal("invalid_request", "The passkey could not be verified. Begin again.");
    if (made.kind === "conflict") return conflict(made.reason);
    return await enrolled(call, { passkey_id: made.passkeyId, recovery_codes: made.recoveryCodes });
  },
});

const deletePasskey = action({
  ...proven,
  path: "POST /security/passkeys/:passkey_id/delete",
  summary: "Deletes a passkey.",
  input: z.strictObject({ passkey_id: id }),
  output: emptyOutput,
  handler: async ({ deps, session, input }) => {
    const result = await removePasskey(deps.auth, session.userId, input.passkey_id);
    if (result.kind === "conflict") return conflict(result.reason);
    return result.kind === "not_found" ? noSuch("passkey") : {};
  },
});

/** Setting up the first second factor completes the sign-in. */
async function enrolled<Body>(call: AuthCall, body: Body): Promise<Body | WithCookie<Body> | Refusal> {
  if (call.session.stage !== "enrol") return body;
  const done = await completeEnrolment(call.deps.auth, call.session, browserOf(call));
  return done.kind === "done" ? new WithCookie(body, cookieOf(done)) : new Refusal("unauthorized", "Sign in first.");
}

/** The user's own password, second factors and sessions. */
export const securityActions: readonly AuthAction[] = [
  ...[showSecurity, newPassword, revokeSession, revokeOtherSessions],
  ...[startApp, confirmApp, disableApp, renewCodes],
  ...[newPasskeyOptions, addPasskey, deletePasskey],
];
