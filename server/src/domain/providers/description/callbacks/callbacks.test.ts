import { createHash, createHmac, createSign, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ProviderMessage } from "../../connector.ts";
import { defined, JSON_SPOKEN } from "../../testing/definitions.ts";
import { readCallback } from "./read-callback.ts";

const NOW = 1_700_000_000_000;
const SECRETS = { token: "t0ken-value", hook: "hook-value" };
const OUTCOME = [
  { when: { s: "OK" }, means: "success" },
  { when: { s: "NO" }, means: "declined", failure: "number_not_valid" },
  { when: { s: "BACK" }, means: "reversed" },
];
const BODY = JSON.stringify({ ref: "R1", s: "OK", op: "OP9", msg: "fine" });

function reading(callback: object, message: Partial<ProviderMessage>, secrets: Readonly<Record<string, string>> = SECRETS) {
  const one = { reference: "ref", read: { operator_ref: "op", message: "msg" }, outcome: OUTCOME, ...callback };
  const definition = defined({ ...JSON_SPOKEN.describe("https://a.example"), secrets: ["token", "hook"], callbacks: [one] });
  const whole: ProviderMessage = { method: "POST", path: "", source: "203.0.113.9", query: {}, headers: {}, body: BODY, ...message };
  return readCallback({ definition, secrets, clock: { now: () => NOW }, clean: (text) => text }, whole);
}

const PROVED = { reference: "R1", finding: { kind: "succeeded", operatorRef: "OP9" } };
const KEY = { auth: { kind: "key", header: "X-Key", secret: "hook" } };

test("a key proves a message, in a header, a query parameter or a field; another or an empty one does not", () => {
  expect(reading(KEY, { headers: { "x-key": "hook-value" } })).toEqual(PROVED);
  expect(reading({ auth: { kind: "key", query: "k", secret: "hook" } }, { query: { k: "hook-value" } })).toEqual(PROVED);
  expect(reading({ auth: { kind: "key", field: "ref", secret: "hook" } }, { body: BODY.replace("R1", "hook-value") })).toMatchObject({
    reference: "hook-value",
  });
  for (const key of ["", "hook-valu", "hook-value2"])
    expect(reading(KEY, { headers: { "x-key": key } })).toEqual({ refused: "wrong_key", authentic: false, reference: null });
  expect(reading(KEY, { headers: { "x-key": "" } }, { token: "t", hook: "" })).toMatchObject({ refused: "wrong_key" });
});

test("Cashfree's signature is the base64 HMAC of timestamp and body, and an old one is stale", () => {
  const auth = {
    kind: "hmac",
    header: "x-webhook-signature",
    text: "{header.x-webhook-timestamp}{body}",
    secret: "hook",
    output: "base64",
    time: { header: "x-webhook-timestamp", unit: "milliseconds" },
  };
  const signed = (time: string, body = BODY) => ({
    headers: {
      "x-webhook-timestamp": time,
      "x-webhook-signature": createHmac("sha256", "hook-value")
        .update(time + body)
        .digest("base64"),
    },
  });
  expect(reading({ auth }, signed(String(NOW)))).toEqual(PROVED);
  expect(reading({ auth }, signed(String(NOW - 301_000)))).toMatchObject({ refused: "stale", authentic: true });
  expect(reading({ auth }, { ...signed(String(NOW)), body: BODY.replace("OK", "NO") })).toMatchObject({ refused: "wrong_key" });
});

test("hashes with a secret, RSA signatures and tokens prove a message", () => {
  const hash = { kind: "hash", digest: "md5", field: "sign", text: "{field.ref}|{field.s}|{secret.hook}" };
  const sign = createHash("md5").update("R1|OK|hook-value").digest("hex");
  expect(reading({ auth: hash }, { body: JSON.stringify({ ref: "R1", s: "OK", op: "OP9", sign: sign.toUpperCase() }) })).toEqual(PROVED);
  const shortened = (text: string) => ({ body: JSON.stringify({ ref: "R1", s: "OK", op: "OP9", sign: text }) });
  expect(reading({ auth: { ...hash, length: 16 } }, shortened(sign.slice(0, 16)))).toEqual(PROVED);
  for (const other of [sign, sign.slice(0, 15), sign.slice(0, 17), sign.slice(16)])
    expect(reading({ auth: { ...hash, length: 16 } }, shortened(other))).toMatchObject({ refused: "wrong_key" });
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const hook = publicKey.export({ type: "spki", format: "pem" }).toString();
  const signature = createSign("sha256").update(BODY).sign(privateKey, "base64");
  const rsa = { kind: "rsa", header: "x-sign", secret: "hook" };
  expect(reading({ auth: rsa }, { headers: { "x-sign": signature } }, { ...SECRETS, hook })).toEqual(PROVED);
  expect(reading({ auth: rsa }, { headers: { "x-sign": signature }, body: `${BODY} ` }, { ...SECRETS, hook })).toMatchObject({
    refused: "wrong_key",
  });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = `${encode({ alg: "HS256" })}.${encode({ ref: "R1", s: "OK", op: "OP9" })}`;
  const token = `${head}.${createHmac("sha256", "hook-value").update(head).digest("base64url")}`;
  const jwt = { auth: { kind: "jwt", field: "param_enc", secret: "hook", algorithm: "HS256" }, from: "jwt" };
  expect(reading(jwt, { body: JSON.stringify({ param: { s: "NO" }, param_enc: token }) })).toEqual(PROVED);
  const none = `${encode({ alg: "none" })}.${encode({ ref: "R1", s: "OK" })}.`;
  expect(reading(jwt, { body: JSON.stringify({ param_enc: none }) })).toMatchObject({ refused: "wrong_key" });
});

test("a hint only makes us ask, addresses prove, and other addresses are refused", () => {
  expect(reading({ auth: { kind: "hint" }, outcome: [] }, {})).toEqual({ reference: "R1", finding: { kind: "ask" } });
  const addresses = { auth: { kind: "addresses" }, addresses: ["203.0.113.0/24"] };
  expect(reading(addresses, {})).toEqual(PROVED);
  expect(reading(addresses, { source: "198.51.100.1" })).toMatchObject({ refused: "wrong_key" });
  expect(reading({ ...KEY, addresses: ["203.0.113.0/24"] }, { source: "::1", headers: { "x-key": "hook-value" } })).toMatchObject({
    refused: "wrong_key",
  });
});

test("the path and the method choose the description; other paths are not expected", () => {
  const callback = { ...KEY, path: "/payment/status", method: "POST", reference_is: "theirs" };
  const headers = { "x-key": "hook-value" };
  expect(reading(callback, { path: "/payment/status/", headers })).toEqual({ ...PROVED, referenceIs: "provider_ref" });
  for (const other of [{ path: "" }, { path: "/payment" }, { path: "/payment/status", method: "GET" }])
    expect(reading(callback, { ...other, headers })).toMatchObject({ refused: "not_expected" });
});

test("an undeclared status, a missing reference and an unreadable body are told apart; a success without its reference makes us ask", () => {
  const headers = { "x-key": "hook-value" };
  const read = (body: unknown) => reading(KEY, { headers, body: typeof body === "string" ? body : JSON.stringify(body) });
  expect(read({ ref: "R1", s: "?" })).toEqual({ refused: "unknown_status", authentic: true, reference: "R1" });
  expect(read({ s: "OK" })).toMatchObject({ refused: "no_reference" });
  expect(read("<html>")).toMatchObject({ refused: "unreadable", authentic: true });
  expect(read({ ref: "R1", s: "OK" })).toEqual({ reference: "R1", finding: { kind: "ask" } });
  expect(read({ ref: "R1", s: "NO", msg: "bad number" })).toMatchObject({
    finding: { kind: "declined", failure: "number_not_valid", reason: "bad number" },
  });
  expect(read({ ref: "R1", s: "BACK" })).toMatchObject({ finding: { kind: "reversed" } });
});

test("without the key no message is taken, whatever it contains, and none throws", () => {
  const auths = [KEY.auth, { kind: "hmac", header: "x-key", secret: "hook" }, { kind: "rsa", header: "x-key", secret: "hook" }];
  const text = fc.string({ maxLength: 60 });
  fc.assert(
    fc.property(fc.constantFrom(...auths), text, fc.oneof(text, fc.json(), fc.constant(BODY)), (auth, key, body) => {
      fc.pre(key !== "hook-value");
      expect(reading({ auth }, { headers: { "x-key": key }, body })).toMatchObject({ refused: "wrong_key" });
    }),
  );
});
