import type { JWTPayload } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestIssuer, type TestIssuer } from "../testing/test-issuer.ts";
import { createOidc, type Oidc } from "./oidc.ts";
import type { OidcOptions, OidcParty } from "./oidc-metadata.ts";

const DISCOVERY = "/.well-known/openid-configuration";
const secrets = { state: "the-state", nonce: "the-nonce", codeVerifier: "v".repeat(43) };
const request = { redirectUri: "https://pay.example/portal/sso/A1", secrets, isProof: false };

let issuer: TestIssuer;
let party: OidcParty;
const newOidc = (options: Partial<OidcOptions> = {}): Oidc =>
  createOidc({ fetch, clock: { now: () => Date.now() }, allowsHttp: () => true, ...options });

beforeEach(async () => {
  issuer = await startTestIssuer();
  party = { issuer: issuer.issuer, clientId: issuer.clientId, clientSecret: "s3cret" };
});
afterEach(() => issuer.close());

async function addressFrom(idToken: object, userInfo: object) {
  issuer.claims = { sub: "asha", nonce: secrets.nonce, ...idToken };
  issuer.userInfo = { sub: "asha", ...userInfo };
  const answer = { state: secrets.state, code: "the-code", iss: issuer.issuer };
  const { email, emailVerified } = await newOidc().redeem(party, request, answer);
  return [email, emailVerified];
}

test("the address and whether it is verified come from the same document", async () => {
  const [email, other] = ["asha@own.example", "boss@own.example"];
  expect(await addressFrom({}, { email, email_verified: true })).toEqual([email, true]);
  expect(await addressFrom({ email, email_verified: true }, {})).toEqual([email, true]);
  expect(await addressFrom({ email }, { email_verified: true })).toEqual([email, false]);
  expect(await addressFrom({ email_verified: true }, { email })).toEqual([email, false]);
  expect(await addressFrom({ email }, { email: "Asha@own.example", email_verified: true })).toEqual(["Asha@own.example", true]);
  expect(await addressFrom({ email, email_verified: false }, { email, email_verified: true })).toEqual([email, false]);
  await expect(addressFrom({ email: other, email_verified: true }, { email, email_verified: true })).rejects.toThrow("different");
});

test("callers at the same time share one discovery, and its failure is kept for a while", async () => {
  const oidc = newOidc({ failureMilliseconds: 60_000 });
  await Promise.all(Array.from({ length: 5 }, () => oidc.authorizationUrl(party, request)));
  expect(issuer.requests(DISCOVERY)).toBe(1);
  issuer.metadata = { token_endpoint: null };
  const other = { ...party, clientId: "another" };
  for (let count = 0; count < 3; count++) await expect(oidc.authorizationUrl(other, request)).rejects.toThrow();
  expect(issuer.requests(DISCOVERY)).toBe(2);
  // Whoever saves the provider reads it now, and then it works at once.
  issuer.metadata = {};
  await oidc.check(other);
  expect(await oidc.authorizationUrl(other, request)).toContain("client_id=another");
});

test("a failure is forgotten after its time", async () => {
  const oidc = newOidc({ failureMilliseconds: 0 });
  issuer.metadata = { issuer: "https://evil.example" };
  await expect(oidc.authorizationUrl(party, request)).rejects.toThrow();
  issuer.metadata = {};
  expect(await oidc.authorizationUrl(party, request)).toContain(issuer.issuer);
});

test("a logout token that cannot be the provider's causes no request to it", async () => {
  const oidc = newOidc();
  const now = Math.floor(Date.now() / 1000);
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const claims = { iss: issuer.issuer, aud: issuer.clientId, iat: now, exp: now + 60, jti: "j1", sub: "asha", events };
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;
  const wrong = [{ iss: "https://evil.example" }, { aud: "another" }, { events: {} }, { jti: undefined }, { sub: undefined }];
  const signed = await Promise.all(wrong.map((change) => issuer.sign({ ...claims, ...change } as JWTPayload)));
  for (const token of ["", "x", "a.b.c", unsigned, ...signed]) await expect(oidc.readLogoutToken(party, token)).rejects.toThrow("token");
  expect(issuer.requests(DISCOVERY) + issuer.requests("/jwks")).toBe(0);
  expect(await oidc.readLogoutToken(party, await issuer.sign(claims))).toMatchObject({ jti: "j1", subject: "asha" });
});
