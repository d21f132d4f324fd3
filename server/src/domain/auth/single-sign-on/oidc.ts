import type { JWTPayload } from "jose";
import type { Configuration } from "openid-client";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { describeFault, OidcFault } from "./oidc-fault.ts";
import {
  ALGORITHMS,
  createDirectory,
  jose,
  type KnownParty,
  type OidcOptions,
  type OidcParty,
  openidClient,
  TOLERANCE_SECONDS,
} from "./oidc-metadata.ts";

/** The secrets of one sign-in, all derived from the token in the browser's cookie. */
export type OidcSecrets = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };

export type OidcRequest = {
  readonly redirectUri: string;
  readonly secrets: OidcSecrets;
  readonly loginHint?: string | undefined;
  /** Asks the provider to authenticate the user again, although they have a session there. */
  readonly isProof: boolean;
};

/** The parameters with which the provider sent the browser back. */
export type OidcResponse = Readonly<Record<string, string>>;

export type Identity = {
  readonly subject: string;
  readonly sessionId: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** When the provider authenticated the user, in milliseconds since 1970. */
  readonly authenticatedAt: number | null;
  /** All claims, for the role. */
  readonly claims: JsonObject;
};

export type LogoutToken = {
  readonly jti: string;
  readonly subject: string | null;
  readonly sessionId: string | null;
  readonly expiresAt: number;
};

export type Oidc = {
  /** Reads the provider's metadata. Throws an OidcFault whose message says why it cannot be used. */
  readonly check: (party: OidcParty) => Promise<void>;
  readonly authorizationUrl: (party: OidcParty, request: OidcRequest) => Promise<string>;
  /** Exchanges the code and validates the ID token. Throws an OidcFault. */
  readonly redeem: (party: OidcParty, request: OidcRequest, response: OidcResponse) => Promise<Identity>;
  /** Validates a back-channel logout token. Throws an OidcFault. */
  readonly readLogoutToken: (party: OidcParty, token: string) => Promise<LogoutToken>;
};

const PROOF_SECONDS = 300;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const LOGOUT_SECONDS = 10 * 60;

/** The protocol side of single sign-on. It knows nothing about users. */
export function createOidc(options: OidcOptions): Oidc {
  const { clock, allowsHttp } = options;
  const { read, readNow } = createDirectory(options);
  const now = () => new Date(clock.now());
  return {
    check: (party) => describeFault(async () => void (await readNow(party))),
    authorizationUrl: (party, request) =>
      describeFault(async () => {
        const url = await authorizationUrl((await read(party)).config, request);
        if (url.protocol !== "https:" && !allowsHttp()) throw new OidcFault("Its sign-in page must be at an https address.");
        return url.href;
      }),
    redeem: (party, request, response) =>
      describeFault(async () => await redeem(await read(party), party, { request, response, now: now() })),
    readLogoutToken: (party, token) =>
      describeFault(async () => {
        await checkUnread(party, token);
        return logoutOf(await verified(await read(party), party, { token, now: now(), maxTokenAge: LOGOUT_SECONDS }));
      }),
  };
}

async function authorizationUrl(config: Configuration, { redirectUri, secrets, loginHint, isProof }: OidcRequest): Promise<URL> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openidClient();
  return buildAuthorizationUrl(config, {
    response_type: "code",
    redirect_uri: redirectUri,
    scope: scopeOf(config),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: "S256",
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    ...(isProof ? { prompt: "login", max_age: "0" } : {}),
  });
}

function scopeOf(config: Configuration): string {
  const supported = config.serverMetadata().scopes_supported;
  return ["openid", "email", "profile"].filter((scope) => scope === "openid" || supported?.includes(scope) !== false).join(" ");
}

type Redeeming = { readonly request: OidcRequest; readonly response: OidcResponse; readonly now: Date };

async function redeem(known: KnownParty, party: OidcParty, { request, response, now }: Redeeming): Promise<Identity> {
  const { authorizationCodeGrant, fetchUserInfo } = await openidClient();
  const { state, nonce, codeVerifier } = request.secrets;
  const back = new URL(request.redirectUri);
  back.search = new URLSearchParams(response).toString();
  const tokens = await authorizationCodeGrant(known.config, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
    ...(request.isProof ? { maxAge: PROOF_SECONDS } : {}),
  });
  const claims = await verified(known, party, { token: tokens.id_token ?? "", now });
  if (claims["nonce"] !== nonce || typeof claims.sub !== "string") throw new OidcFault("The ID token is for another sign-in.");
  const hasMore = known.config.serverMetadata().userinfo_endpoint !== undefined;
  // Many providers put the email address and groups only there. The library compares the subject.
  const more = hasMore ? await fetchUserInfo(known.config, tokens.access_token, claims.sub) : {};
  return { ...identityOf({ ...more, ...claims } as JsonObject, claims.sub), ...addressOf(claims, more) };
}

type Verifying = { readonly token: string; readonly now: Date; readonly maxTokenAge?: number };

/** The signature is checked for every token, also for one that came directly from the provider. */
async function verified(known: KnownParty, { issuer, clientId }: OidcParty, { token, now, maxTokenAge }: Verifying): Promise<JWTPayload> {
  const { jwtVerify } = await jose();
  const { payload } = await jwtVerify(token, known.keys, {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: now,
    requiredClaims: ["exp", "iat"],
    ...(maxTokenAge === undefined ? {} : { maxTokenAge }),
  });
  return payload;
}

type Address = Pick<Identity, "email" | "emailVerified">;

/** Both from one document, the ID token first: otherwise one would say that the other's address is verified. */
function addressOf(...documents: readonly Readonly<Record<string, unknown>>[]): Address {
  const found = documents.flatMap(({ email, email_verified: isVerified }) => (typeof email === "string" ? [{ email, isVerified }] : []));
  if (new Set(found.map(({ email }) => email.toLowerCase())).size > 1)
    throw new OidcFault("Its ID token and its userinfo endpoint name different email addresses.");
  const chosen = found.find(({ isVerified }) => isVerified !== undefined) ?? found[0];
  return { email: chosen?.email ?? null, emailVerified: chosen?.isVerified === true };
}

function identityOf(claims: JsonObject, subject: string): Omit<Identity, keyof Address> {
  const { sid, name, auth_time: at } = claims;
  return {
    subject,
    sessionId: typeof sid === "string" ? sid : null,
    name: typeof name === "string" ? name : null,
    authenticatedAt: typeof at === "number" ? at * 1000 : null,
    claims,
  };
}

/** Anybody can send a logout token, so one that cannot be the provider's causes no request to it. */
async function checkUnread({ issuer, clientId }: OidcParty, token: string): Promise<void> {
  const { decodeJwt, decodeProtectedHeader } = await jose();
  const claims = decodeJwt(token);
  if (!ALGORITHMS.includes(decodeProtectedHeader(token).alg ?? ""))
    throw new OidcFault("The token is signed with an algorithm that is not accepted.");
  if (claims.iss !== issuer || ![claims.aud].flat().includes(clientId)) throw new OidcFault("The token is not for this installation.");
  logoutOf(claims);
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. */
function logoutOf(claims: JWTPayload): LogoutToken {
  const { jti, sub, exp = 0 } = claims;
  const { sid, events } = claims as { readonly sid?: unknown; readonly events?: unknown };
  const isEvent = typeof events === "object" && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
  if (!isEvent || "nonce" in claims) throw new OidcFault("It is not a logout token.");
  if (typeof jti !== "string" || jti.length > 255) throw new OidcFault("The logout token has no id.");
  const [subject, sessionId] = [typeof sub === "string" ? sub : null, typeof sid === "string" ? sid : null];
  if (subject === null && sessionId === null) throw new OidcFault("The logout token names neither a subject nor a session.");
  return { jti, subject, sessionId, expiresAt: exp * 1000 };
}
