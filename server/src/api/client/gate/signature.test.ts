import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { signatureHeaders } from "../../../../../e2e/harness/sign.ts";
import { readHead } from "./request-head.ts";
import { checkSignature } from "./signature.ts";
import { accountWith } from "./testing/account.ts";

const NOW = 1_800_000_000;
const PATH = "/api/corp/v1/balance";
const secret = (text: string, expiresAt: number | null = null) => ({
  credentialId: text,
  key: createSecretKey(Buffer.from(text)),
  expiresAt,
});

type Question = {
  readonly at?: number;
  readonly timestamp?: number;
  readonly key?: string;
  readonly expiresAt?: number | null;
  readonly token?: string;
};

function verdict({ at = NOW * 1000, timestamp = NOW, key = "sig_A", expiresAt = null, token }: Question) {
  const headers = signatureHeaders({ method: "GET", path: PATH, secret: key, timestamp: String(timestamp), nonce: "n" });
  return checkSignature({
    method: "GET",
    path: PATH,
    query: [],
    body: new Uint8Array(),
    head: readHead(headers.flat()),
    account: accountWith({ signingSecrets: [secret("sig_A", expiresAt), secret("sig_B")] }),
    earlierSchemeKey: token ?? null,
    nowMilliseconds: at,
  });
}

test.each([
  [-301, false],
  [-300, true],
  [-299, true],
  [0, true],
  [299, true],
  [300, true],
  [301, false],
])("a timestamp %i seconds from the service's clock: fresh is %s", (seconds, fresh) => {
  expect(verdict({ timestamp: NOW + seconds }).kind).toBe(fresh ? "valid" : "refused");
});

test.each([
  [0, true],
  [999, true],
  [1000, false],
])("the 300th second is fresh to its end: after %i ms fresh is %s", (milliseconds, fresh) => {
  expect(verdict({ timestamp: NOW - 300, at: NOW * 1000 + milliseconds }).kind).toBe(fresh ? "valid" : "refused");
});

test("a nonce is kept until its timestamp can no longer be fresh, even if it is in the future", () => {
  expect(verdict({ timestamp: NOW + 300 })).toMatchObject({ kind: "valid", nonce: "n", nonceExpiresAt: NOW + 600 });
  expect(verdict({ timestamp: NOW - 300 })).toMatchObject({ kind: "valid", nonce: "n", nonceExpiresAt: NOW });
});

test.each([
  ["sig_A", null, true],
  ["sig_B", null, true],
  ["sig_C", null, false],
  ["sig_A", NOW * 1000 + 1, true],
  ["sig_A", NOW * 1000, false],
  ["sig_A", NOW * 1000 - 1, false],
  ["A", null, false],
])("the secret %s, ending at %s: accepted is %s", (key, expiresAt, accepted) => {
  expect(verdict({ key, expiresAt }).kind).toBe(accepted ? "valid" : "refused");
});

test("the earlier scheme is accepted only if its key is given", () => {
  expect(verdict({ key: "tok_live_x" }).kind).toBe("refused");
  expect(verdict({ key: "tok_live_x", token: "tok_live_x" }).kind).toBe("valid");
  expect(verdict({ key: "tok_live_x", token: "tok_live_y" }).kind).toBe("refused");
  expect(verdict({ key: "sig_A", token: "tok_live_y" }).kind).toBe("valid");
});

test("an account without a secret accepts no signature, not even one made with an empty key", () => {
  const headers = signatureHeaders({ method: "GET", path: PATH, secret: "", timestamp: String(NOW), nonce: "n" });
  const question = { method: "GET", path: PATH, query: [], body: new Uint8Array(), account: accountWith(), earlierSchemeKey: null };
  expect(checkSignature({ ...question, head: readHead(headers.flat()), nowMilliseconds: NOW * 1000 }).kind).toBe("refused");
  expect(checkSignature({ ...question, head: readHead([]), nowMilliseconds: NOW * 1000 })).toEqual({ kind: "unsigned" });
});

test("a valid signature reports its key: the current secret, a replaced one, or the token", () => {
  expect(verdict({})).toMatchObject({ signedBy: { how: "secret", credentialId: "sig_A" } });
  expect(verdict({ expiresAt: NOW * 1000 + 1 })).toMatchObject({ signedBy: { how: "old_secret", credentialId: "sig_A" } });
  expect(verdict({ key: "tok_live_x", token: "tok_live_x" })).toMatchObject({ signedBy: { how: "token" } });
});
