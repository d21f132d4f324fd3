import { z } from "zod";
import type { AuthContext } from "../../domain/auth/context.ts";
import { readMethods } from "../../domain/auth/read-security.ts";
import { completeByRecoveryCode, completeByTotp } from "../../domain/auth/sessions/complete-sign-in.ts";
import { endSession } from "../../domain/auth/sessions/end-sessions.ts";
import { signIn } from "../../domain/auth/sessions/sign-in.ts";
import { isDomainEnforced, offerSignOn } from "../../domain/auth/single-sign-on/offer.ts";
import { findProofProvider } from "../../domain/auth/single-sign-on/start-sign-on.ts";
import { WithCookie } from "../sites/actions/action.ts";
import { Refusal } from "../sites/actions/refusal.ts";
import { type AuthAction, type PublicCall, publicAction } from "./action.ts";
import { browserOf, cookieOf, later, tooMany, welcome } from "./answers.ts";
import { code, email, nothing, password } from "./fields.ts";
import { canMailLinks } from "./mails.ts";
import { emptyOutput, sessionOutput, signInOutput } from "./outputs.ts";

const WRONG_CODE = new Refusal("unauthorized", "The code is wrong, or was used before.");
const NOT_HALF = new Refusal("unauthorized", "Sign in with your password first.");

const showSession = publicAction({
  path: "GET /session",
  summary: "Shows who is signed in.",
  roles: "anyone",
  input: z.object({}),
  output: sessionOutput,
  handler: async (call) => await describeSession(call),
});

async function describeSession({ deps, session, origin }: PublicCall): Promise<z.output<typeof sessionOutput>> {
  const facts = session && (await deps.describe(session));
  const mail = canMailLinks(deps, origin);
  if (!session || !facts) {
    const offer = await offerSignOn(deps.auth);
    return { signed_in: false, mode: deps.mode(), mail, ...(offer === null ? {} : { single_sign_on: offer }) };
  }
  return {
    signed_in: true,
    stage: session.stage,
    csrf_token: session.csrfToken,
    proved_at: Math.floor(session.provedAt / 1000),
    methods: await readMethods(deps.auth, session.userId),
    user: { user_id: session.userId, email: session.email, name: session.name, role: session.role, language: session.language },
    needs: { second_factor: session.stage !== "full" },
    mode: deps.mode(),
    mail,
    single_sign_on: !("kind" in (await findProofProvider(deps.auth, session))),
    ...facts,
  };
}

const signInByPassword = publicAction({
  path: "POST /sign-in",
  summary: "Signs in by password.",
  roles: "anyone",
  input: z.strictObject({ email, password }),
  output: signInOutput,
  handler: async (call) => {
    const { deps, input, session } = call;
    const result = await signIn(deps.auth, { ...input, browser: browserOf(call), before: session, later: later(deps) });
    if (result.kind === "throttled") return tooMany(result);
    if (result.kind === "refused") return new Refusal("unauthorized", await wrongPassword(deps.auth, input.email));
    const { stage, methods } = result;
    return new WithCookie({ stage, methods }, cookieOf(result));
  },
});

/** The same words for every address of a domain, whatever was wrong, so that nobody learns which users exist. */
async function wrongPassword(auth: AuthContext, written: string): Promise<string> {
  const wrong = "The email address or the password is wrong.";
  return (await isDomainEnforced(auth, written)) ? `${wrong} Your organisation signs in with single sign-on.` : wrong;
}

const bySecondFactor = { roles: "anyone", input: z.strictObject({ code }), output: signInOutput } as const;

const signInByTotp = publicAction({
  ...bySecondFactor,
  path: "POST /sign-in/totp",
  summary: "Completes a sign-in with a code of the authenticator app.",
  handler: async (call) => await completeSignIn(call, completeByTotp),
});

const signInByRecoveryCode = publicAction({
  ...bySecondFactor,
  path: "POST /sign-in/recovery",
  summary: "Completes a sign-in with a recovery code.",
  handler: async (call) => await completeSignIn(call, completeByRecoveryCode),
});

async function completeSignIn(call: PublicCall<{ readonly code: string }>, complete: typeof completeByTotp) {
  const { deps, session, input } = call;
  if (session?.stage !== "half") return NOT_HALF;
  const result = await complete(deps.auth, session, input.code, browserOf(call));
  if (result.kind === "throttled") return tooMany(result);
  return result.kind === "refused" ? WRONG_CODE : welcome(result);
}

const signOut = publicAction({
  path: "POST /sign-out",
  summary: "Ends the session of this browser.",
  roles: "anyone",
  input: nothing,
  output: emptyOutput,
  handler: async ({ deps, session }) => {
    if (session) await endSession(deps.auth, session.userId, session.sessionId, "signed_out");
    return new WithCookie({}, { token: null });
  },
});

/** Showing the session, signing in by password and by code, and signing out. */
export const sessionActions: readonly AuthAction[] = [showSession, signInByPassword, signInByTotp, signInByRecoveryCode, signOut];
