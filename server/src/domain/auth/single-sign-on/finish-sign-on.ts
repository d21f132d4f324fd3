import type { Transaction } from "../../../platform/db/connection.ts";
import type { Browser } from "../context.ts";
import { readFactors } from "../factors/factor-store.ts";
import { record, recordOwn } from "../record.ts";
import { deleteSession, type SessionIdentity, type Stage, updateProof } from "../sessions/session-store.ts";
import { type Method, methodsOf } from "../sessions/sign-in.ts";
import { firstStage, startSession } from "../sessions/start-session.ts";
import { lockUser, type UserRow } from "../store.ts";
import { linkToConfigurer } from "../team/access-grants.ts";
import { findMember } from "./find-member.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import type { Identity, OidcResponse } from "./oidc.ts";
import { OidcFault } from "./oidc-fault.ts";
import { isStateOf, type SignOnRequest, secretsOf, takeRequest } from "./requests.ts";
import { LOCAL_PROOF_REQUIRED, partyOf, type SignOnContext, type SignOnRefusal, usesLocalSecondFactor } from "./start-sign-on.ts";
import { findIdentity, findProviderById } from "./store.ts";

export type FinishSignOn = {
  /** The token of the browser's cookie; null if the browser did not begin this sign-in. */
  readonly token: string | null;
  readonly providerId: string;
  readonly response: OidcResponse;
  readonly browser: Browser;
  /** The browser's session: it ends with a sign-in, and is the one that a confirmation is for. */
  readonly session: { readonly userId: string; readonly sessionId: string } | null;
};

export type FinishedSignOn =
  | {
      readonly kind: "signed_in";
      readonly token: string;
      readonly stage: Stage;
      readonly devices: readonly string[] | null;
      readonly methods: readonly Method[];
      readonly nextPath: string;
    }
  | { readonly kind: "proved"; readonly provedAt: number; readonly nextPath: string };

const NOT_OURS: SignOnRefusal = {
  kind: "refused",
  why: "This sign-in was not started in this browser, was used before, or has expired. Sign in again.",
};

/** Completes a sign-in, or a confirmation of identity, when the provider has sent the browser back. */
export async function finishSignOn(ctx: SignOnContext, input: FinishSignOn): Promise<FinishedSignOn | SignOnRefusal> {
  const { token, response } = input;
  if (token === null || !isStateOf(token, response["state"] ?? "")) return NOT_OURS;
  // Taken before the code is sent, so that the same answer never works twice.
  const request = await takeRequest(ctx.sql, ctx.realm, token, new Date(ctx.clock.now()));
  if (!request || request.provider_id !== input.providerId) return NOT_OURS;
  const provider = await findProviderById(ctx.sql, ctx.realm, request.provider_id);
  if (!provider?.enabled) return { kind: "refused", why: "This identity provider has been switched off." };
  const isProof = request.session_id !== null;
  try {
    const party = await partyOf(ctx, provider);
    const asked = { redirectUri: request.redirect_uri, secrets: secretsOf(token), isProof };
    const identity = await ctx.oidc.redeem(party, asked, response);
    return isProof ? await proveIdentity(ctx, request, provider, identity, input) : await enter(ctx, request, provider, identity, input);
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error;
    return { kind: "refused", why: `The sign-in at ${provider.name} failed. ${error.message} Sign in again.` };
  }
}

async function enter(
  ctx: SignOnContext,
  request: SignOnRequest,
  provider: IdentityProvider,
  identity: Identity,
  { browser, session }: FinishSignOn,
): Promise<FinishedSignOn | SignOnRefusal> {
  const result = await ctx.sql.begin(async (tx): Promise<FinishedSignOn | SignOnRefusal> => {
    const user = await findMember(tx, ctx, provider, identity);
    if ("kind" in user) return user;
    const factors = await readFactors(tx, user.user_id);
    const isLocal = provider.second_factor === "local";
    const hasFactor = factors.totp || factors.passkeys > 0;
    const stage: Stage = !isLocal ? "full" : hasFactor ? "half" : firstStage(ctx.realm);
    if (session) await deleteSession(tx, session.userId, session.sessionId);
    const started = await startSession(tx, ctx, { userId: user.user_id, stage, browser, identity: sessionIdentity(provider, identity) });
    await linkToConfigurer(tx, { realm: ctx.realm, userId: user.user_id, provider });
    await recordOwn(tx, ctx, user, stage === "full" ? "signed_in" : "identity_accepted", {
      session_id: started.sessionId,
      address: browser.address,
      identity_provider: provider.provider_id,
    });
    const { token, devices } = started;
    return { kind: "signed_in", token, devices, stage, methods: methodsOf(factors), nextPath: request.next_path };
  });
  if (result.kind === "refused") await recordRefusal(ctx, provider, identity, result.why, browser);
  return result;
}

function sessionIdentity(provider: IdentityProvider, { subject, sessionId }: Identity): SessionIdentity {
  return { identity_provider_id: provider.provider_id, identity_subject: subject, identity_session_id: sessionId };
}

/** The person is not a known user, so they are not the actor. */
async function recordRefusal(ctx: SignOnContext, provider: IdentityProvider, identity: Identity, why: string, browser: Browser) {
  const subject = { id: provider.provider_id, accountId: provider.account_id };
  const details = { subject: identity.subject.slice(0, 255), email: identity.email?.slice(0, 254) ?? null, why, address: browser.address };
  await ctx.sql.begin((tx) => record(tx, ctx, "visitor", "single_sign_on_refused", subject, details));
}

const OTHER_PERSON: SignOnRefusal = {
  kind: "refused",
  why: "The identity provider confirmed another person than the one who is signed in.",
};

async function proveIdentity(
  ctx: SignOnContext,
  request: SignOnRequest,
  provider: IdentityProvider,
  identity: Identity,
  { session }: FinishSignOn,
): Promise<FinishedSignOn | SignOnRefusal> {
  // Providers may ignore the request to authenticate again; then the time of authentication is too old.
  const isFresh = identity.authenticatedAt !== null && identity.authenticatedAt > request.created_at.getTime() - 30_000;
  if (!isFresh) return { kind: "refused", why: "The identity provider did not authenticate you again. Confirm your identity another way." };
  if (session === null || session.sessionId !== request.session_id) return OTHER_PERSON;
  return await ctx.sql.begin(async (tx) => await proveInTransaction(tx, ctx, { provider, identity, session, nextPath: request.next_path }));
}

type Proving = {
  readonly provider: IdentityProvider;
  readonly identity: Identity;
  readonly session: { readonly userId: string; readonly sessionId: string };
  readonly nextPath: string;
};

async function proveInTransaction(
  tx: Transaction,
  ctx: SignOnContext,
  { provider, identity, session, nextPath }: Proving,
): Promise<FinishedSignOn | SignOnRefusal> {
  const user: UserRow | undefined = await lockUser(tx, ctx.realm, session.userId);
  const bound = await findIdentity(tx, provider, identity.subject);
  if (!user || user.disabled_at || bound?.user_id !== user.user_id) return OTHER_PERSON;
  // The setting may have changed, or the user may have got a factor, since the confirmation was started.
  if (await usesLocalSecondFactor(tx, provider, user.user_id)) return LOCAL_PROOF_REQUIRED;
  const at = new Date(ctx.clock.now());
  if (!(await updateProof(tx, session.sessionId, at))) return { kind: "refused", why: "Sign in first." };
  await recordOwn(tx, ctx, user, "proved", { session_id: session.sessionId, how: "single_sign_on" });
  return { kind: "proved", provedAt: at.getTime(), nextPath };
}
