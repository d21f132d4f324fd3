import type { Queryable } from "../../../platform/db/connection.ts";
import type { AuthContext } from "../context.ts";
import { readFactors } from "../factors/factor-store.ts";
import { newToken } from "../tokens.ts";
import { readEmail } from "../user.ts";
import { clientSecretContext, domainOf, type IdentityProvider } from "./identity-provider.ts";
import type { Oidc } from "./oidc.ts";
import { OidcFault } from "./oidc-fault.ts";
import type { OidcParty } from "./oidc-metadata.ts";
import { insertRequest, secretsOf } from "./requests.ts";
import { findProvider, findProviderById, findProviderOfDomain } from "./store.ts";

export type SignOnContext = AuthContext & { readonly oidc: Oidc };

export type StartedSignOn = { readonly kind: "done"; readonly url: string; readonly token: string };
export type SignOnRefusal = { readonly kind: "refused"; readonly why: string };

export type StartSignOn = {
  /** Finds the provider by its domain. At the console there is one provider, so it is optional there. */
  readonly email: string | null;
  /** The site as browsers see it. */
  readonly origin: string;
  readonly nextPath: string;
};

const UNKNOWN: SignOnRefusal = {
  kind: "refused",
  why: "There is no single sign-on for this email address. Sign in with your password or a passkey.",
};

/** Sends a browser to the identity provider that is responsible for its user. */
export async function startSignOn(ctx: SignOnContext, input: StartSignOn): Promise<StartedSignOn | SignOnRefusal> {
  const email = input.email === null ? null : readEmail(input.email);
  const provider = await providerFor(ctx, email);
  if (!provider?.enabled) return UNKNOWN;
  return await send(ctx, provider, { ...input, email, sessionId: null });
}

/** Sends a signed-in browser back to its provider, to authenticate the user again. */
export async function startProof(
  ctx: SignOnContext,
  session: ProofSession & { readonly sessionId: string; readonly email: string },
  input: Omit<StartSignOn, "email">,
): Promise<StartedSignOn | SignOnRefusal> {
  const { email, sessionId } = session;
  const provider = await findProofProvider(ctx, session);
  return "kind" in provider ? provider : await send(ctx, provider, { ...input, email, sessionId });
}

type ProofSession = { readonly userId: string; readonly identityProviderId: string | null };

/** The provider at which the user of a session can confirm their identity. */
export async function findProofProvider(ctx: AuthContext, session: ProofSession): Promise<IdentityProvider | SignOnRefusal> {
  const { identityProviderId: id, userId } = session;
  const provider = id === null ? undefined : await findProviderById(ctx.sql, ctx.realm, id);
  if (!provider?.enabled) return { kind: "refused", why: "This session did not begin with single sign-on." };
  return (await usesLocalSecondFactor(ctx.sql, provider, userId)) ? LOCAL_PROOF_REQUIRED : provider;
}

export const LOCAL_PROOF_REQUIRED: SignOnRefusal = {
  kind: "refused",
  why: "This site asks for the second factor. Confirm your identity with your authenticator app or a passkey.",
};

/** Whether the second factor of this installation applies. Then the provider alone does not confirm the user's identity. */
export async function usesLocalSecondFactor(sql: Queryable, provider: IdentityProvider, userId: string): Promise<boolean> {
  if (provider.second_factor !== "local") return false;
  if (provider.realm === "console") return true;
  const { totp, passkeys } = await readFactors(sql, userId);
  return totp || passkeys > 0;
}

async function providerFor(ctx: AuthContext, email: string | null): Promise<IdentityProvider | undefined> {
  if (ctx.realm === "console") return await findProvider(ctx.sql, { realm: "console", accountId: null });
  return email === null ? undefined : await findProviderOfDomain(ctx.sql, ctx.realm, domainOf(email));
}

type Sending = StartSignOn & { readonly sessionId: string | null };

async function send(ctx: SignOnContext, provider: IdentityProvider, input: Sending): Promise<StartedSignOn | SignOnRefusal> {
  const { token, digest } = newToken("");
  const redirectUri = redirectUriOf(provider, input.origin);
  const isProof = input.sessionId !== null;
  try {
    const party = await partyOf(ctx, provider);
    const secrets = secretsOf(token);
    const url = await ctx.oidc.authorizationUrl(party, { redirectUri, secrets, isProof, loginHint: input.email ?? undefined });
    await insertRequest(ctx.sql, digest, {
      realm: ctx.realm,
      provider_id: provider.provider_id,
      session_id: input.sessionId,
      redirect_uri: redirectUri,
      next_path: input.nextPath,
      created_at: new Date(ctx.clock.now()),
    });
    return { kind: "done", url, token };
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error;
    return { kind: "refused", why: `The identity provider does not work at the moment. ${error.message} Try again later.` };
  }
}

/** Every provider has its own address, so that an answer of one cannot be passed off as an answer of another. */
export function redirectUriOf({ realm, provider_id }: Pick<IdentityProvider, "realm" | "provider_id">, origin: string): string {
  return `${origin}/${realm}/sso/${provider_id}`;
}

export async function partyOf(ctx: AuthContext, provider: IdentityProvider): Promise<OidcParty> {
  const { key_id: keyId, sealed, provider_id: id } = provider;
  const clientSecret = keyId === null || sealed === null ? null : await ctx.vault.open({ keyId, sealed }, clientSecretContext(id));
  return { issuer: provider.issuer, clientId: provider.client_id, clientSecret };
}
