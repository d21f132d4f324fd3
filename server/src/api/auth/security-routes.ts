import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { passkeyOptions, registerPasskey, removePasskey } from "../../domain/auth/factors/register-passkey.ts";
import { confirmTotpCode, disableTotp, renewRecoveryCodes, startTotp } from "../../domain/auth/factors/switch-totp.ts";
import { changePassword } from "../../domain/auth/passwords/change-password.ts";
import { readSecurity } from "../../domain/auth/read-security.ts";
import { completeEnrolment } from "../../domain/auth/sessions/complete-sign-in.ts";
import { endOtherSessions, endSession } from "../../domain/auth/sessions/end-sessions.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { fault, json, memberRoute, type SiteAnswer, type SiteRoute, type SiteSession, type Visit } from "../sites/route.ts";
import { browserOf, cookieOf, tooMany, weak } from "./answers.ts";
import type { AuthApiContext, AuthTools } from "./context.ts";
import { code, id, newPasskey, nothing, password, personName } from "./fields.ts";

// A fresh proof prevents a stranger at an unlocked screen from adding their own sign-in method.
function changes<Who extends SiteSession>(ctx: AuthApiContext<Who>) {
  const own = { method: "POST", who: ctx.everybody } as const;
  return { own, proven: { ...own, stepUp: true } as const };
}

/** Routes for the user's own password, second factors and sessions. */
export function securityRoutes<Who extends SiteSession>(ctx: AuthApiContext<Who>): readonly SiteRoute<Who>[] {
  return [...overviewRoutes(ctx), ...totpRoutes(ctx), ...passkeyRoutes(ctx)];
}

function overviewRoutes<Who extends SiteSession>(ctx: AuthApiContext<Who>): readonly SiteRoute<Who>[] {
  const { own, proven } = changes(ctx);
  return [
    memberRoute({
      method: "GET",
      path: "/security",
      does: "The visitor's second factors and sessions",
      who: ctx.everybody,
      input: z.object({}),
      handle: ({ session }) => show(ctx, session),
    }),
    memberRoute({
      ...proven,
      path: "/password",
      does: "Changes the visitor's password and ends their other sessions",
      input: z.strictObject({ current: password, next: password }),
      handle: (visit) => newPassword(ctx, visit),
    }),
    memberRoute({
      ...own,
      path: "/security/sessions/{session_id}/revoke",
      does: "Ends one of the visitor's sessions",
      input: z.strictObject({ session_id: id }),
      handle: async ({ session, input }) => {
        const ended = await endSession(ctx.auth, session.userId, input.session_id, "session_revoked");
        if (ended.kind === "not_found") return fault("not_found", "There is no such session, or no longer.");
        return input.session_id === session.sessionId ? json({}, { token: null }) : json({});
      },
    }),
    memberRoute({
      ...own,
      path: "/security/sessions/revoke-others",
      does: "Ends the visitor's other sessions",
      input: nothing,
      handle: async ({ session }) => json({ ended: await endOtherSessions(ctx.auth, session) }),
    }),
  ];
}

function totpRoutes<Who extends SiteSession>(ctx: AuthApiContext<Who>): readonly SiteRoute<Who>[] {
  const { own, proven } = changes(ctx);
  return [
    memberRoute({
      ...proven,
      path: "/security/totp/start",
      enrolling: true,
      does: "A secret for an authenticator app, to be confirmed",
      input: nothing,
      handle: async ({ session }) => {
        const started = await startTotp(ctx.auth, session.userId);
        return started.kind === "conflict" ? fault("conflict", started.reason) : json({ secret: started.secret, uri: started.uri });
      },
    }),
    memberRoute({
      ...own,
      path: "/security/totp/confirm",
      enrolling: true,
      does: "Switches the authenticator app on with its first code",
      input: z.strictObject({ code }),
      handle: async (visit) => {
        const result = await confirmTotpCode(ctx.auth, visit.session.userId, visit.input.code);
        if (result.kind === "throttled") return tooMany(result);
        if (result.kind === "refused") return fault("invalid_request", "The code is wrong.", { fields: { code: "Is wrong." } });
        if (result.kind === "conflict") return fault("conflict", result.reason);
        return await enrolled(ctx, visit, { recovery_codes: [...result.recoveryCodes] });
      },
    }),
    memberRoute({
      ...proven,
      path: "/security/totp/disable",
      does: "Switches the authenticator app off",
      input: nothing,
      handle: async ({ session }) => {
        const result = await disableTotp(ctx.auth, session.userId);
        return result.kind === "conflict" ? fault("conflict", result.reason) : json({});
      },
    }),
    memberRoute({
      ...proven,
      path: "/security/recovery-codes",
      does: "Creates ten new recovery codes and revokes the old ones",
      input: nothing,
      handle: async ({ session }) => {
        const result = await renewRecoveryCodes(ctx.auth, session.userId);
        return result.kind === "conflict" ? fault("conflict", result.reason) : json({ recovery_codes: [...result.recoveryCodes] });
      },
    }),
  ];
}

function passkeyRoutes<Who extends SiteSession>(ctx: AuthApiContext<Who>): readonly SiteRoute<Who>[] {
  const { own, proven } = changes(ctx);
  return [
    memberRoute({
      ...proven,
      path: "/security/passkeys/options",
      enrolling: true,
      does: "What a browser needs to make a passkey",
      input: nothing,
      handle: async (visit) => json({ options: (await passkeyOptions(ctx.auth, visit.session, visit)) as unknown as JsonObject }),
    }),
    memberRoute({
      ...own,
      path: "/security/passkeys",
      enrolling: true,
      does: "Registers a passkey",
      input: z.strictObject({ name: personName, response: newPasskey }),
      handle: async (visit) => {
        const response = visit.input.response as unknown as RegistrationResponseJSON;
        const { userId } = visit.session;
        const made = await registerPasskey(ctx.auth, { userId, name: visit.input.name, response, site: visit });
        if (made.kind === "refused") return fault("invalid_request", "The passkey could not be verified. Begin again.");
        if (made.kind === "conflict") return fault("conflict", made.reason);
        return await enrolled(ctx, visit, { passkey_id: made.passkeyId, recovery_codes: made.recoveryCodes && [...made.recoveryCodes] });
      },
    }),
    memberRoute({
      ...proven,
      path: "/security/passkeys/{passkey_id}/delete",
      does: "Deletes a passkey",
      input: z.strictObject({ passkey_id: id }),
      handle: async ({ session, input }) => {
        const result = await removePasskey(ctx.auth, session.userId, input.passkey_id);
        if (result.kind === "conflict") return fault("conflict", result.reason);
        return result.kind === "not_found" ? fault("not_found", "There is no such passkey.") : json({});
      },
    }),
  ];
}

/** Setting up the first second factor completes the sign-in. */
async function enrolled(ctx: AuthTools, visit: Visit<unknown, SiteSession>, body: JsonObject): Promise<SiteAnswer> {
  if (visit.session.stage !== "enrol") return json(body);
  const done = await completeEnrolment(ctx.auth, visit.session, browserOf(visit));
  return done.kind === "done" ? json(body, cookieOf(done)) : fault("unauthorized", "Sign in first.");
}

async function newPassword(
  ctx: AuthTools,
  visit: Visit<{ readonly current: string; readonly next: string }, SiteSession>,
): Promise<SiteAnswer> {
  const { userId, sessionId } = visit.session;
  const result = await changePassword(ctx.auth, { userId, sessionId, ...visit.input, browser: browserOf(visit) });
  if (result.kind === "throttled") return tooMany(result);
  if (result.kind === "weak") return weak("next", result);
  if (result.kind === "refused") return fault("invalid_request", "The current password is wrong.", { fields: { current: "Is wrong." } });
  return json({});
}

async function show(ctx: AuthTools, session: SiteSession): Promise<SiteAnswer> {
  const { totp, passkeys, recoveryCodesLeft, sessions } = await readSecurity(ctx.auth, session.userId);
  const time = (at: Date) => indiaDateTime(at.getTime());
  return json({
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
  });
}
