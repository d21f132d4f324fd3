import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import {
  anonymousPasskeyOptions,
  completeByPasskey,
  type PasskeyAnswer,
  passkeyRequestOptions,
  proveByPasskey,
  signInByPasskey,
} from "../../domain/auth/factors/use-passkey.ts";
import { proveByPassword, proveByTotp } from "../../domain/auth/sessions/prove.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { fault, json, memberRoute, publicRoute, type SiteAnswer, type SiteRoute, type SiteSession, type Visit } from "../sites/route.ts";
import { browserOf, tooMany, welcome } from "./answers.ts";
import type { AuthApiContext, AuthTools } from "./context.ts";
import { code, nothing, passkeyAnswer, password } from "./fields.ts";

const WRONG_PASSKEY = "The passkey is not known here, or its answer came too late.";
const answerBody = z.strictObject({ response: passkeyAnswer });
type AnswerBody = z.infer<typeof answerBody>;

/** Sign-in with a passkey, and proof of identity by any method. */
export function proofRoutes<Who extends SiteSession>(ctx: AuthApiContext<Who>): readonly SiteRoute<Who>[] {
  return [
    publicRoute({
      method: "POST",
      path: "/sign-in/passkey/options",
      does: "What a browser asks its passkey: after the password, or instead of it",
      who: "anyone",
      input: nothing,
      handle: async (visit) => {
        if (visit.session?.stage === "half")
          return options(await passkeyRequestOptions(ctx.auth, { purpose: "sign_in", userId: visit.session.userId }, visit));
        const question = await anonymousPasskeyOptions(ctx.auth, visit, browserOf(visit));
        return question.kind === "throttled" ? tooMany(question) : options(question.options);
      },
    }),
    publicRoute({
      method: "POST",
      path: "/sign-in/passkey",
      does: "Signs in with a passkey, or completes a sign-in with it",
      who: "anyone",
      input: answerBody,
      handle: async (visit) => {
        const { session } = visit;
        const half = session?.stage === "half" ? session : null;
        const answer = answerOf(visit);
        const result = half ? await completeByPasskey(ctx.auth, half, answer) : await signInByPasskey(ctx.auth, answer, session);
        if (result.kind === "throttled") return tooMany(result);
        return result.kind === "refused" ? fault("unauthorized", WRONG_PASSKEY) : welcome(result);
      },
    }),
    memberRoute({
      method: "POST",
      path: "/step-up",
      does: "Proves who is there, by password or by a code",
      who: ctx.everybody,
      input: z.strictObject({ password: password.optional(), totp: code.optional() }),
      handle: (visit) => stepUp(ctx, visit),
    }),
    memberRoute({
      method: "POST",
      path: "/step-up/passkey/options",
      does: "What a browser asks its passkey to prove who is there",
      who: ctx.everybody,
      input: nothing,
      handle: async (visit) => options(await passkeyRequestOptions(ctx.auth, { purpose: "prove", userId: visit.session.userId }, visit)),
    }),
    memberRoute({
      method: "POST",
      path: "/step-up/passkey",
      does: "Proves who is there with a passkey",
      who: ctx.everybody,
      input: answerBody,
      handle: async (visit) => {
        const result = await proveByPasskey(ctx.auth, visit.session, answerOf(visit));
        if (result.kind === "throttled") return tooMany(result);
        return result.kind === "refused" ? fault("invalid_request", WRONG_PASSKEY) : proved(result.provedAt);
      },
    }),
  ];
}

type StepUp = { readonly password?: string | undefined; readonly totp?: string | undefined };

async function stepUp(ctx: AuthTools, { session, input }: Visit<StepUp, SiteSession>): Promise<SiteAnswer> {
  if (input.password !== undefined && ctx.auth.realm === "console")
    return fault("invalid_request", "At the console a code or a passkey is asked for.", { fields: { password: "Is not enough here." } });
  if ((input.password === undefined) === (input.totp === undefined))
    return fault("invalid_request", "Send either the password or a code.", { fields: { password: "Either this or a code." } });
  const result =
    input.password !== undefined
      ? await proveByPassword(ctx.auth, session, input.password)
      : await proveByTotp(ctx.auth, session, input.totp ?? "");
  if (result.kind === "throttled") return tooMany(result);
  return result.kind === "refused" ? wrongProof(input.password === undefined ? "totp" : "password") : proved(result.provedAt);
}

// Not 401, because the user stays signed in.
function wrongProof(field: "password" | "totp"): SiteAnswer {
  const message = field === "totp" ? "The code is wrong, or was used before." : "The password is wrong.";
  return fault("invalid_request", message, { fields: { [field]: message } });
}

function proved(milliseconds: number): SiteAnswer {
  return json({ proved_at: Math.floor(milliseconds / 1000) });
}

function options(made: object): SiteAnswer {
  return json({ options: made as JsonObject });
}

function answerOf(visit: Visit<AnswerBody, SiteSession | null>): PasskeyAnswer {
  return { response: visit.input.response as unknown as AuthenticationResponseJSON, site: visit, browser: browserOf(visit) };
}
