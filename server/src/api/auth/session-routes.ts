import { z } from "zod";
import { readMethods } from "../../domain/auth/read-security.ts";
import { completeByRecoveryCode, completeByTotp } from "../../domain/auth/sessions/complete-sign-in.ts";
import { endSession } from "../../domain/auth/sessions/end-sessions.ts";
import { signIn } from "../../domain/auth/sessions/sign-in.ts";
import { fault, json, publicRoute, type SiteAnswer, type SiteRoute, type SiteSession, type Visit } from "../sites/route.ts";
import { browserOf, cookieOf, later, tooMany, welcome } from "./answers.ts";
import type { AuthApiContext, AuthTools } from "./context.ts";
import { code, email, nothing, password } from "./fields.ts";

export const WRONG_CODE = fault("unauthorized", "The code is wrong, or was used before.");
export const NOT_HALF = fault("unauthorized", "Sign in with your password first.");

export function sessionRoutes<Who extends SiteSession>(ctx: AuthApiContext<Who>): readonly SiteRoute<Who>[] {
  return [
    publicRoute({
      method: "GET",
      path: "/session",
      does: "Who is signed in",
      who: "anyone",
      input: z.object({}),
      handle: ({ session }) => describe(ctx, session),
    }),
    publicRoute({
      method: "POST",
      path: "/sign-in",
      does: "Signs in by password",
      who: "anyone",
      input: z.strictObject({ email, password }),
      handle: (visit) => byPassword(ctx, visit),
    }),
    publicRoute({
      method: "POST",
      path: "/sign-in/totp",
      does: "Completes a sign-in with a code of the authenticator app",
      who: "anyone",
      input: z.strictObject({ code }),
      handle: (visit) => bySecondFactor(ctx, visit, completeByTotp),
    }),
    publicRoute({
      method: "POST",
      path: "/sign-in/recovery",
      does: "Completes a sign-in with a recovery code",
      who: "anyone",
      input: z.strictObject({ code }),
      handle: (visit) => bySecondFactor(ctx, visit, completeByRecoveryCode),
    }),
    publicRoute({
      method: "POST",
      path: "/sign-out",
      does: "Ends the session of this browser",
      who: "anyone",
      input: nothing,
      handle: async ({ session }) => {
        if (session) await endSession(ctx.auth, session.userId, session.sessionId, "signed_out");
        return json({}, { token: null });
      },
    }),
  ];
}

async function describe<Who extends SiteSession>(ctx: AuthApiContext<Who>, session: Who | null): Promise<SiteAnswer> {
  const more = session && (await ctx.describe(session));
  if (!session || !more) return json({ signed_in: false, mode: ctx.mode() });
  const methods = await readMethods(ctx.auth, session.userId);
  return json({
    signed_in: true,
    stage: session.stage,
    csrf_token: session.csrfToken,
    proved_at: Math.floor(session.provedAt / 1000),
    methods: [...methods],
    user: { user_id: session.userId, email: session.email, name: session.name, role: session.role },
    needs: { second_factor: session.stage !== "full" },
    mode: ctx.mode(),
    ...more,
  });
}

async function byPassword(
  ctx: AuthTools,
  visit: Visit<{ readonly email: string; readonly password: string }, SiteSession | null>,
): Promise<SiteAnswer> {
  const result = await signIn(ctx.auth, { ...visit.input, browser: browserOf(visit), before: visit.session, later: later(ctx) });
  if (result.kind === "throttled") return tooMany(result);
  if (result.kind === "refused") return fault("unauthorized", "The e-mail address or the password is wrong.");
  const { stage, methods } = result;
  return json({ stage, methods: [...methods] }, cookieOf(result));
}

async function bySecondFactor(
  ctx: AuthTools,
  visit: Visit<{ readonly code: string }, SiteSession | null>,
  complete: typeof completeByTotp,
): Promise<SiteAnswer> {
  if (visit.session?.stage !== "half") return NOT_HALF;
  const result = await complete(ctx.auth, visit.session, visit.input.code, browserOf(visit));
  if (result.kind === "throttled") return tooMany(result);
  return result.kind === "refused" ? WRONG_CODE : welcome(result);
}
