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
import { Refusal } from "../sites/actions/refusal.ts";
import { type AuthAction, action, type PublicCall, publicAction } from "./action.ts";
import { browserOf, tooMany, welcome } from "./answers.ts";
import { code, nothing, passkeyAnswer, password } from "./fields.ts";
import { passkeyOptionsOutput, proofOutput, signInOutput } from "./outputs.ts";

const WRONG_PASSKEY = "The passkey is not known here, or its answer came too late.";
const answerBody = z.strictObject({ response: passkeyAnswer });

const signInOptions = publicAction({
  path: "POST /sign-in/passkey/options",
  summary: "Returns the WebAuthn options for signing in with a passkey, after the password or instead of it.",
  roles: "anyone",
  input: nothing,
  output: passkeyOptionsOutput,
  handler: async (call) => {
    const { deps, session } = call;
    if (session?.stage === "half")
      return { options: await passkeyRequestOptions(deps.auth, { purpose: "sign_in", userId: session.userId }, call) };
    const question = await anonymousPasskeyOptions(deps.auth, call, browserOf(call));
    return question.kind === "throttled" ? tooMany(question) : { options: question.options };
  },
});

const signInWithPasskey = publicAction({
  path: "POST /sign-in/passkey",
  summary: "Signs in with a passkey, or completes a sign-in with it.",
  roles: "anyone",
  input: answerBody,
  output: signInOutput,
  handler: async (call) => {
    const { deps, session } = call;
    const half = session?.stage === "half" ? session : null;
    const answer = answerOf(call);
    const result = half ? await completeByPasskey(deps.auth, half, answer) : await signInByPasskey(deps.auth, answer, session);
    if (result.kind === "throttled") return tooMany(result);
    return result.kind === "refused" ? new Refusal("unauthorized", WRONG_PASSKEY) : welcome(result);
  },
});

const prove = action({
  path: "POST /step-up",
  summary: "Confirms the user's identity by password or code.",
  roles: "everybody",
  input: z.strictObject({ password: password.optional(), totp: code.optional() }),
  output: proofOutput,
  handler: async ({ deps, session, input }) => {
    const { password: given, totp } = input;
    if (given !== undefined && deps.auth.realm === "console")
      return new Refusal("invalid_request", "The console requires a code or a passkey.", {
        fields: { password: "A password is not enough at the console." },
      });
    if ((given === undefined) === (totp === undefined))
      return new Refusal("invalid_request", "Send either the password or a code.", { fields: { password: "Either this or a code." } });
    const result =
      given !== undefined ? await proveByPassword(deps.auth, session, given) : await proveByTotp(deps.auth, session, totp ?? "");
    if (result.kind === "throttled") return tooMany(result);
    return result.kind === "refused" ? wrongProof(given === undefined ? "totp" : "password") : proved(result.provedAt);
  },
});

// Not 401, because the user stays signed in.
function wrongProof(field: "password" | "totp"): Refusal {
  const message = field === "totp" ? "The code is wrong, or was used before." : "The password is wrong.";
  return new Refusal("invalid_request", message, { fields: { [field]: message } });
}

function proved(milliseconds: number): z.output<typeof proofOutput> {
  return { proved_at: Math.floor(milliseconds / 1000) };
}

const proofOptions = action({
  path: "POST /step-up/passkey/options",
  summary: "Returns the WebAuthn options for confirming the user's identity with a passkey.",
  roles: "everybody",
  input: nothing,
  output: passkeyOptionsOutput,
  handler: async (call) => ({
    options: await passkeyRequestOptions(call.deps.auth, { purpose: "prove", userId: call.session.userId }, call),
  }),
});

const proveWithPasskey = action({
  path: "POST /step-up/passkey",
  summary: "Confirms the user's identity with a passkey.",
  roles: "everybody",
  input: answerBody,
  output: proofOutput,
  handler: async (call) => {
    const result = await proveByPasskey(call.deps.auth, call.session, answerOf(call));
    if (result.kind === "throttled") return tooMany(result);
    return result.kind === "refused" ? new Refusal("invalid_request", WRONG_PASSKEY) : proved(result.provedAt);
  },
});

function answerOf(call: PublicCall<z.output<typeof answerBody>>): PasskeyAnswer {
  return { response: call.input.response as unknown as AuthenticationResponseJSON, site: call, browser: browserOf(call) };
}

/** Sign-in with a passkey, and proof of identity by any method. */
export const proofActions: readonly AuthAction[] = [signInOptions, signInWithPasskey, prove, proofOptions, proveWithPasskey];
