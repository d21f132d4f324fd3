import { z } from "zod";
import { countAttempts } from "../../domain/auth/sessions/throttle.ts";
import { finishSignOn } from "../../domain/auth/single-sign-on/finish-sign-on.ts";
import {
  type SignOnContext,
  type SignOnRefusal,
  type StartedSignOn,
  startProof,
  startSignOn,
} from "../../domain/auth/single-sign-on/start-sign-on.ts";
import { WithCookie } from "../sites/actions/action.ts";
import { Refusal } from "../sites/actions/refusal.ts";
import { type AuthAction, action, type PublicCall, publicAction } from "./action.ts";
import { browserOf, cookieOf, tooMany } from "./answers.ts";
import { email, id } from "./fields.ts";
import { trustedOrigin } from "./mails.ts";
import { signInOutput } from "./outputs.ts";

/** A page of the site itself. Anything else could lead the user elsewhere. */
const nextPath = z
  .string()
  .max(1000)
  .regex(/^\/(?![/\\])[^\s\\]*$/, "Must be a path of this site.");
const part = z.string().max(4096);

const redirectOutput = z.strictObject({ redirect_url: z.string() }).meta({ id: "SignOnRedirect" });

const NO_ADDRESS = new Refusal(
  "conflict",
  "Single sign-on needs the address of this site. Ask whoever runs the installation to set CORPRAIL_PUBLIC_URL.",
);

const start = publicAction({
  path: "POST /sign-in/single-sign-on",
  summary: "Starts a sign-in at the identity provider, to which the browser then goes.",
  roles: "anyone",
  input: z.strictObject({ email: email.optional(), next: nextPath.default("/") }),
  output: redirectOutput,
  handler: async (call) => {
    const { deps, input, address } = call;
    const origin = trustedOrigin(deps, call.origin);
    if (origin === null) return NO_ADDRESS;
    const throttled = await countAttempts(deps.auth, [{ scope: "stranger", key: address }]);
    if (throttled) return tooMany(throttled);
    return sent(await startSignOn(contextOf(call), { email: input.email ?? null, origin, nextPath: input.next }));
  },
});

const proveAgain = action({
  path: "POST /step-up/single-sign-on",
  summary: "Starts a confirmation of the user's identity at the identity provider.",
  roles: "everybody",
  input: z.strictObject({ next: nextPath.default("/") }),
  output: redirectOutput,
  handler: async (call) => {
    const origin = trustedOrigin(call.deps, call.origin);
    if (origin === null) return NO_ADDRESS;
    return sent(await startProof(contextOf(call), call.session, { origin, nextPath: call.input.next }));
  },
});

function contextOf({ deps }: Pick<PublicCall, "deps">): SignOnContext {
  return { ...deps.auth, oidc: deps.oidc };
}

function sent(started: StartedSignOn | SignOnRefusal): WithCookie<z.output<typeof redirectOutput>> | Refusal {
  if (started.kind === "refused") return new Refusal("conflict", started.why);
  return new WithCookie({ redirect_url: started.url }, { signOn: started.token });
}

const complete = publicAction({
  path: "POST /sign-in/single-sign-on/complete",
  summary: "Completes a sign-in or a confirmation with the answer of the identity provider.",
  roles: "anyone",
  input: z.strictObject({
    provider_id: id,
    state: part,
    code: part.optional(),
    iss: part.optional(),
    error: part.optional(),
    error_description: part.optional(),
  }),
  output: signInOutput.extend({ next: z.string().describe("The page to open.") }).meta({ id: "CompletedSignOn" }),
  handler: async (call) => {
    const { provider_id: providerId, ...response } = call.input;
    const throttled = await countAttempts(call.deps.auth, [{ scope: "stranger", key: call.address }]);
    if (throttled) return tooMany(throttled);
    const given = Object.fromEntries(Object.entries(response).filter(([, value]) => value !== undefined)) as Record<string, string>;
    const { signOn: token, session } = call;
    const result = await finishSignOn(contextOf(call), { token, providerId, response: given, browser: browserOf(call), session });
    if (result.kind === "refused") return new Refusal("unauthorized", result.why);
    if (result.kind === "proved") return new WithCookie({ stage: "full" as const, methods: [], next: result.nextPath }, { signOn: null });
    const { stage, methods, nextPath: next } = result;
    return new WithCookie({ stage, methods, next }, { ...cookieOf(result), signOn: null });
  },
});

/** Signing in through an identity provider, and confirming one's identity there. */
export const signOnActions: readonly AuthAction[] = [start, proveAgain, complete];
