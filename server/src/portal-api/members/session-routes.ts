import { z } from "zod";
import { readAccounts } from "../../accounts/store.ts";
import { completeByRecoveryCode, completeByTotp } from "../../people/complete-sign-in.ts";
import { endSession } from "../../people/end-sessions.ts";
import { readMethods } from "../../people/read-security.ts";
import { signIn } from "../../people/sign-in.ts";
import { SESSION_SECONDS } from "../../people/start-session.ts";
import type { PortalContext } from "../context.ts";
import { fault, json, openRoute, type PortalAnswer, type PortalRoute, type Visit } from "../route.ts";
import type { Session } from "../session.ts";
import { browserOf, later, tooMany, welcome } from "./people-answers.ts";
import { code, email, nothing, password } from "./people-fields.ts";

export const WRONG_CODE = fault("unauthorized", "The code is wrong, or was used before.");
export const NOT_HALF = fault("unauthorized", "Sign in with your password first.");

export function sessionRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    openRoute({
      method: "GET",
      path: "/session",
      does: "Who is signed in",
      who: "anyone",
      input: z.object({}),
      handle: ({ session }) => describe(ctx, session),
    }),
    openRoute({
      method: "POST",
      path: "/sign-in",
      does: "Signs in by password",
      who: "anyone",
      input: z.strictObject({ email, password }),
      handle: (visit) => byPassword(ctx, visit),
    }),
    openRoute({
      method: "POST",
      path: "/sign-in/totp",
      does: "Completes a sign-in with a code of the authenticator app",
      who: "anyone",
      input: z.strictObject({ code }),
      handle: (visit) => bySecondFactor(ctx, visit, completeByTotp),
    }),
    openRoute({
      method: "POST",
      path: "/sign-in/recovery",
      does: "Completes a sign-in with a recovery code",
      who: "anyone",
      input: z.strictObject({ code }),
      handle: (visit) => bySecondFactor(ctx, visit, completeByRecoveryCode),
    }),
    openRoute({
      method: "POST",
      path: "/sign-out",
      does: "Ends the session of this browser",
      who: "anyone",
      input: nothing,
      handle: async ({ session }) => {
        if (session) await endSession(ctx.people, session.userId, session.sessionId, "signed_out");
        return json({}, { token: null });
      },
    }),
  ];
}

async function describe(ctx: PortalContext, session: Session | null): Promise<PortalAnswer> {
  const [account] = session ? await readAccounts(ctx.sql, [session.accountId]) : [];
  if (!session || !account) return json({ signed_in: false });
  const methods = await readMethods(ctx.people, session.userId);
  return json({
    signed_in: true,
    stage: session.stage,
    csrf_token: session.csrfToken,
    proved_at: Math.floor(session.provedAt / 1000),
    methods: [...methods],
    user: { user_id: session.userId, email: session.email, name: session.name, role: session.role },
    account: { account_id: account.account_id, name: account.name, sandbox: account.sandbox, standing: account.standing },
    needs: { second_factor: session.stage === "half" },
  });
}

async function byPassword(
  ctx: PortalContext,
  visit: Visit<{ readonly email: string; readonly password: string }, Session | null>,
): Promise<PortalAnswer> {
  const result = await signIn(ctx.people, { ...visit.input, browser: browserOf(visit), before: visit.session, later: later(ctx) });
  if (result.kind === "throttled") return tooMany(result);
  if (result.kind === "refused") return fault("unauthorized", "The e-mail address or the password is wrong.");
  const { token, stage, methods } = result;
  return json({ stage, methods: [...methods] }, { token, maxAgeSeconds: SESSION_SECONDS });
}

async function bySecondFactor(
  ctx: PortalContext,
  visit: Visit<{ readonly code: string }, Session | null>,
  complete: typeof completeByTotp,
): Promise<PortalAnswer> {
  if (visit.session?.stage !== "half") return NOT_HALF;
  const result = await complete(ctx.people, visit.session, visit.input.code, browserOf(visit));
  if (result.kind === "throttled") return tooMany(result);
  return result.kind === "refused" ? WRONG_CODE : welcome(result.token);
}
