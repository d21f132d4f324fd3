import { randomBytes } from "node:crypto";
import { exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newAccount, type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { findSession } from "../sessions/find-session.ts";
import { signIn } from "../sessions/sign-in.ts";
import { acceptInvitation } from "../team/accept-invitation.ts";
import { invite } from "../team/invite.ts";
import { startTestIssuer, type TestIssuer } from "../testing/test-issuer.ts";
import { setBreakGlass } from "./break-glass.ts";
import { finishSignOn } from "./finish-sign-on.ts";
import type { ProviderSettings } from "./identity-provider.ts";
import { logOutByProvider } from "./log-out-by-provider.ts";
import { createOidc } from "./oidc.ts";
import { assignDomains, type Changer, saveProvider } from "./save-provider.ts";
import { type SignOnContext, startProof, startSignOn, usesLocalSecondFactor } from "./start-sign-on.ts";
import { findProviderById } from "./store.ts";

const PASSWORD = "correct horse battery";
const ORIGIN = "https://pay.example";
const browser = { address: "203.0.113.9", userAgent: "A test", devices: [] };
const BY: Changer = { actor: "test", person: null, sessionId: null };

let settings: TestSettings;
let issuer: TestIssuer;
let ctx: SignOnContext;
let accountId: string;
let domain: string;

beforeAll(async () => {
  settings = await testSettings();
});
afterAll(() => settings.close());
beforeEach(async () => {
  issuer = await startTestIssuer();
  ctx = {
    ...settings.ctx,
    realm: "portal",
    oidc: createOidc({ fetch, clock: settings.ctx.clock, allowsHttp: () => true, keyMilliseconds: 0 }),
  };
  ({ accountId } = await newAccount(settings.ctx));
  domain = `d${randomBytes(4).toString("hex")}.example`;
  expect(await assignDomains(ctx, BY, accountId, [domain])).toEqual({ kind: "done" });
});
afterEach(() => issuer.close());

async function save(change: Partial<ProviderSettings> = {}) {
  const chosen = { name: "Acme", issuer: issuer.issuer, client_id: issuer.clientId, role_claim: null, role_map: [], default_role: null };
  const rest = { grants_manager: false, creates_members: true, second_factor: "local", enforced: false, enabled: true } as const;
  return await saveProvider(
    ctx,
    BY,
    { accountId, clientSecret: "s3cret", settings: { ...chosen, ...rest, default_role: "read_only", ...change } },
    true,
  );
}

type Attempt = {
  readonly claims?: JWTPayload;
  readonly response?: Record<string, string>;
  readonly token?: string | null;
  readonly providerId?: string;
};

/** Goes to the provider and comes back, with a valid answer unless the test changes it. */
async function goThrough({ claims = {}, response = {}, token, providerId = accountId }: Attempt = {}) {
  const started = await startSignOn(ctx, { email: `asha@${domain}`, origin: ORIGIN, nextPath: "/team" });
  if (started.kind !== "done") throw new Error(started.why);
  const asked = new URL(started.url).searchParams;
  const [state, nonce] = [asked.get("state") ?? "", asked.get("nonce") ?? ""];
  issuer.claims = { sub: "asha", nonce, email: `asha@${domain}`, email_verified: true, name: "Asha Rao", sid: "s1", ...claims };
  const input = {
    token: token === undefined ? started.token : token,
    providerId,
    response: { state, code: "the-code", iss: issuer.issuer, ...response },
    browser,
    session: null,
  };
  const result = await finishSignOn(ctx, input);
  return { result, again: () => finishSignOn(ctx, input), asked };
}

const refusal = async (attempt: Attempt) => {
  const { result } = await goThrough(attempt);
  return result.kind === "refused" ? result.why : `not refused: ${result.kind}`;
};

async function member(email: string, role: "owner" | "developer", account = accountId) {
  const invited = await invite(ctx, "test", { accountId: account, email, role });
  if (invited.kind !== "done") throw new Error(invited.kind);
  const accepted = await acceptInvitation(ctx, { token: invited.token, name: "Ravi", password: PASSWORD, browser });
  if (accepted.kind !== "done") throw new Error(accepted.kind);
  return (await findSession(ctx, accepted.token))?.userId ?? "";
}

async function roleOf(email: string) {
  const [row] = await ctx.sql<{ role: string }[]>`select role from users where email = ${email}`;
  return row?.role;
}

test("a first sign-in creates the member with the default role, and PKCE, state and nonce are used", async () => {
  await save();
  const { result, asked } = await goThrough();
  expect(result).toMatchObject({ kind: "signed_in", stage: "full", nextPath: "/team" });
  expect(asked.get("code_challenge_method")).toBe("S256");
  expect(asked.get("redirect_uri")).toBe(`${ORIGIN}/portal/sso/${accountId}`);
  expect(issuer.received().get("code_verifier")).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await roleOf(`asha@${domain}`)).toBe("read_only");
  if (result.kind !== "signed_in") throw new Error(result.kind);
  expect(await findSession(ctx, result.token)).toMatchObject({ accountId, identityProviderId: accountId, name: "Asha Rao" });
});

test("an answer works once, only in the browser that started, and only for the provider that was asked", async () => {
  await save();
  const { result, again } = await goThrough();
  expect(result.kind).toBe("signed_in");
  expect(await again()).toMatchObject({ kind: "refused" });
  expect(await refusal({ token: null })).toContain("not started in this browser");
  expect(await refusal({ token: randomBytes(32).toString("base64url") })).toContain("not started in this browser");
  expect(await refusal({ response: { state: "another" } })).toContain("not started in this browser");
  expect(await refusal({ providerId: "staff" })).toContain("not started in this browser");
});

test("an answer of another issuer, a wrong nonce, a missing code and an error of the provider are refused", async () => {
  await save();
  expect(await refusal({ response: { iss: "https://evil.example" } })).toContain("does not belong to this sign-in");
  expect(await refusal({ claims: { nonce: "of another sign-in" } })).toContain("failed");
  expect(await refusal({ claims: { iss: "https://evil.example" } })).toContain("failed");
  expect(await refusal({ claims: { aud: "another-client" } })).toContain("failed");
  expect(await refusal({ claims: { aud: [issuer.clientId, "other"], azp: "other" } })).toContain("failed");
  expect(await refusal({ claims: { exp: Math.floor(Date.now() / 1000) - 120 } })).toContain("expired");
  expect(await refusal({ response: { error: "access_denied" } })).toContain("refused the sign-in");
});

test("a token that is unsigned, signed with the public key or the secret, or with an unknown key is refused", async () => {
  await save();
  issuer.makeToken = async (claims) => new UnsecuredJWT(claims).encode();
  expect(await refusal({})).toContain("failed");
  const publicKey = await exportSPKI((await importJWK(issuer.publicJwk(), "ES256")) as Parameters<typeof exportSPKI>[0]);
  for (const key of [publicKey, "s3cret"]) {
    issuer.makeToken = async (claims) => await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(key));
    expect(await refusal({})).toContain("failed");
  }
  issuer.makeToken = (claims) => issuer.sign(claims, { kid: "unknown" });
  expect(await refusal({})).toContain("unknown key");
  issuer.makeToken = null;
  expect((await goThrough()).result.kind).toBe("signed_in");
});

test("after the provider has rotated its keys, the next token is accepted", async () => {
  await save();
  expect((await goThrough()).result.kind).toBe("signed_in");
  await issuer.rotate();
  expect((await goThrough()).result.kind).toBe("signed_in");
});

test("an address that is not verified, of another domain or of another account's member matches no user", async () => {
  await save();
  expect(await refusal({ claims: { email_verified: false } })).toContain("not verified");
  expect(await refusal({ claims: { email_verified: "true" as never } })).toContain("not verified");
  expect(await refusal({ claims: { email: "asha@elsewhere.example" } })).toContain("not responsible");
  const { accountId: other } = await newAccount(settings.ctx);
  await member(`guest@${domain}`, "owner", other);
  expect(await refusal({ claims: { sub: "guest", email: `guest@${domain}` } })).toContain("another account");
});

test("no account gets a domain of another one", async () => {
  const { accountId: other } = await newAccount(settings.ctx);
  expect(await assignDomains(ctx, BY, other, ["own.example", domain])).toMatchObject({ kind: "invalid" });
  expect(await ctx.sql`select domain from sign_on_domains where account_id = ${other}`).toHaveLength(0);
});

test("a member is bound to the subject of the first sign-in, so a reused address does not inherit the access", async () => {
  await save();
  expect((await goThrough()).result.kind).toBe("signed_in");
  expect(await refusal({ claims: { sub: "somebody-new" } })).toContain("another identity");
  // The subject stays the same person when the address changes at the provider.
  expect((await goThrough({ claims: { email: `asha.new@${domain}` } })).result.kind).toBe("signed_in");
  expect(await roleOf(`asha.new@${domain}`)).toBeUndefined();
});

test("the claim decides the role at every sign-in, a value without a role is refused, and a claim never makes an owner", async () => {
  const role_map = [
    { value: "dev", role: "developer" },
    { value: "ops", role: "operations" },
  ] as const;
  await save({ role_claim: "realm.groups", role_map, default_role: null });
  const withGroups = (groups: string[]) => ({ claims: { realm: { groups } } });
  expect((await goThrough(withGroups(["ops", "dev"]))).result.kind).toBe("signed_in");
  expect(await roleOf(`asha@${domain}`)).toBe("developer");
  await goThrough(withGroups(["ops"]));
  expect(await roleOf(`asha@${domain}`)).toBe("operations");
  expect(await refusal(withGroups(["guests"]))).toContain("no role");
  expect(await save({ role_claim: "groups", role_map: [{ value: "x", role: "owner" }] })).toMatchObject({ kind: "invalid" });
  expect(await save({ default_role: "owner" })).toMatchObject({ kind: "invalid" });
});

test("without just-in-time members only invited addresses get in, with the invitation's role", async () => {
  await save({ creates_members: false });
  expect(await refusal({})).toContain("not a member yet");
  await invite(ctx, "test", { accountId, email: `asha@${domain}`, role: "developer" });
  expect((await goThrough()).result.kind).toBe("signed_in");
  expect(await roleOf(`asha@${domain}`)).toBe("developer");
});

test("where single sign-on is enforced, passwords work for emergency accounts only, and their use is recorded", async () => {
  const owner = await member(`owner@${domain}`, "owner");
  await member(`dev@${domain}`, "developer");
  const { accountId: other } = await newAccount(settings.ctx);
  await member(`partner@${domain}`, "owner", other);
  expect(await save({ enforced: true })).toMatchObject({ kind: "conflict" });
  expect(await setBreakGlass(ctx, "test", { accountId, userId: owner }, true)).toEqual({ kind: "done" });
  expect(await save({ enforced: true })).toEqual({ kind: "done" });
  const byPassword = (email: string) => signIn(ctx, { email, password: PASSWORD, browser, before: null, later: () => {} });
  expect(await byPassword(`dev@${domain}`)).toEqual({ kind: "refused" });
  expect(await byPassword(`owner@${domain}`)).toMatchObject({ kind: "done" });
  // A client's setting does not lock out members of other accounts.
  expect(await byPassword(`partner@${domain}`)).toMatchObject({ kind: "done" });
  const used = await ctx.sql`select 1 from audit_log where action = 'portal_user.break_glass_used' and subject_id = ${owner}`;
  expect(used).toHaveLength(1);
  expect(await setBreakGlass(ctx, "test", { accountId, userId: owner }, false)).toMatchObject({ kind: "conflict" });
  expect(await refusal({ claims: { sub: "owner", email: `owner@${domain}` } })).toContain("emergency account");
});

test("where this site asks for the second factor, the provider alone does not confirm the identity of a person who has one", async () => {
  await save();
  const { result } = await goThrough();
  const session = result.kind === "signed_in" ? await findSession(ctx, result.token) : null;
  if (session === null) throw new Error("Not signed in.");
  const begin = () => startProof(ctx, session, { origin: ORIGIN, nextPath: "/keys" });
  const confirm = async (started: Awaited<ReturnType<typeof begin>>) => {
    if (started.kind !== "done") throw new Error(started.why);
    const asked = new URL(started.url).searchParams;
    issuer.claims = { sub: "asha", nonce: asked.get("nonce") ?? "", auth_time: Math.floor(ctx.clock.now() / 1000) };
    const response = { state: asked.get("state") ?? "", code: "the-code", iss: issuer.issuer };
    return await finishSignOn(ctx, { token: started.token, providerId: accountId, response, browser, session });
  };
  expect(await confirm(await begin())).toMatchObject({ kind: "proved", nextPath: "/keys" });
  const early = await begin();
  await ctx.sql`
    insert into user_totps (user_id, key_id, sealed, confirmed_at, created_at) values (${session.userId}, 'k', '\\x00', now(), now())`;
  expect(await confirm(early)).toMatchObject({ kind: "refused", why: expect.stringContaining("authenticator app") });
  expect(await begin()).toMatchObject({ kind: "refused", why: expect.stringContaining("authenticator app") });
  await save({ second_factor: "provider" });
  expect(await confirm(await begin())).toMatchObject({ kind: "proved" });
  const provider = await findProviderById(ctx.sql, "portal", accountId);
  if (!provider) throw new Error("No provider.");
  const atConsole = { ...provider, realm: "console", second_factor: "local" } as const;
  expect(await usesLocalSecondFactor(ctx.sql, atConsole, "nobody")).toBe(true);
});

test("a logout token ends the sessions that it names, once, and nothing else ends them", async () => {
  await save();
  const { result } = await goThrough();
  if (result.kind !== "signed_in") throw new Error(result.kind);
  const now = Math.floor(Date.now() / 1000);
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const claims = { iss: issuer.issuer, aud: issuer.clientId, iat: now, exp: now + 60, jti: "j1", sid: "s1", sub: "asha", events };
  const send = async (change: object) =>
    await logOutByProvider(ctx, accountId, await issuer.sign({ ...claims, ...change }, { typ: "logout+jwt" }));
  expect(await send({ jti: "j2", events: {} })).toMatchObject({ kind: "refused" });
  expect(await send({ jti: "j3", nonce: "n" })).toMatchObject({ kind: "refused" });
  expect(await send({ jti: "j4", aud: "another" })).toMatchObject({ kind: "refused" });
  expect(await send({ jti: "j5", sub: undefined, sid: undefined })).toMatchObject({ kind: "refused" });
  expect(await send({ jti: "j6", exp: now - 60 })).toMatchObject({ kind: "refused" });
  expect(await send({ jti: "j7", sid: "s2" })).toEqual({ kind: "done" });
  expect(await findSession(ctx, result.token)).not.toBeNull();
  expect(await send({})).toEqual({ kind: "done" });
  expect(await findSession(ctx, result.token)).toBeNull();
  expect(await send({})).toMatchObject({ kind: "refused", why: "The logout token was used before." });
});
