import { constants, createDecipheriv, createVerify, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { expect, test } from "vitest";
import { computed } from "../language/computed.ts";
import { computeValue } from "./compute.ts";
import { baseString, signatureOf } from "./oauth1.ts";
import type { CallScope, Random } from "./scope.ts";

const RANDOM: Random = { bytes: (count) => Buffer.alloc(count, 7), uuid: () => "u" };

function make(definition: object, values: Readonly<Record<string, string>> = {}, parts: Readonly<Record<string, string>> = {}): string {
  const scope: CallScope = {
    style: { amount: "two_places", zone: "UTC" },
    get: (name) => (name === "now" ? { kind: "time", at: 1_700_000_000_000, text: "1700000000000" } : values[name]),
    parts: new Map(Object.entries(parts)),
    computed: new Map(),
  };
  return computeValue(computed.parse(definition), scope, RANDOM);
}

// RFC 4231, test case 2.
const JEFE = { key: "{secret.key}", text: "what do ya want for nothing?" };
const KEY = { "secret.key": "Jefe" };

test("HMACs agree with RFC 4231 and RFC 2202", () => {
  expect(make({ kind: "hmac", digest: "sha256", ...JEFE }, KEY)).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  expect(make({ kind: "hmac", digest: "sha1", ...JEFE }, KEY)).toBe("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
  expect(make({ kind: "hmac", digest: "sha512", ...JEFE, output: "HEX" }, KEY)).toMatch(
    /^164B7A7BFCF819E2E395FBE73B56E0A387BD64222E831FD6/,
  );
  for (const [format, key] of [
    ["hex", "4a656665"],
    ["base64", "SmVmZQ=="],
  ] as const)
    expect(make({ kind: "hmac", digest: "sha1", ...JEFE, key_format: format }, { "secret.key": key })).toBe(
      "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
    );
});

test("Eko's secret-key is the base64 HMAC of a millisecond time under the base64 text of the key", () => {
  const definition = { kind: "hmac", digest: "sha256", key: "{secret.access_key|base64}", text: "{now|milliseconds}", output: "base64" };
  expect(make(definition, { "secret.access_key": "test-access-key-123" })).toBe("88lqTf9ew69XbVbeczjxVL8/B4vibfp1MvTi1mIj2Xo=");
});

test("hashes agree with RFC 1321 and FIPS 180", () => {
  expect(make({ kind: "hash", digest: "md5", text: "abc" })).toBe("900150983cd24fb0d6963f7d28e17f72");
  expect(make({ kind: "hash", digest: "sha1", text: "abc", output: "base64" })).toBe("qZk+NkcGgWq6PiVxeFDCbJzQ2J0=");
});

test("a token is signed as RFC 7515 says, with the claims in their order", () => {
  const token = make(
    { kind: "jwt", algorithm: "HS256", key: "{secret.key}", claims: { timestamp: "{now|seconds|number}", partnerId: "PS001" } },
    { "secret.key": "your-256-bit-secret" },
  );
  const [header = "", payload = ""] = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
  expect([header, payload]).toEqual(['{"typ":"JWT","alg":"HS256"}', '{"timestamp":1700000000,"partnerId":"PS001"}']);
  const hmac = { kind: "hmac", digest: "sha256", key: "{secret.key}", text: "{t}", output: "base64url" };
  const signed = token.slice(0, token.lastIndexOf("."));
  expect(token).toBe(`${signed}.${make(hmac, { "secret.key": "your-256-bit-secret", t: signed })}`);
});

test("OAuth 1 has the signature base string of RFC 5849, section 3.4.1.1", () => {
  const parameters = [
    ["b5", "=%3D"],
    ["a3", "a"],
    ["c@", ""],
    ["a2", "r b"],
    ["oauth_consumer_key", "9djdj82h48djs9d2"],
    ["oauth_token", "kkk9d7dh3k39sjv7"],
    ["oauth_signature_method", "HMAC-SHA1"],
    ["oauth_timestamp", "137131201"],
    ["oauth_nonce", "7d8f3e4a"],
    ["c2", ""],
    ["a3", "2 q"],
  ] as const;
  expect(baseString("POST", "http://example.com/request", parameters)).toBe(
    "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7",
  );
  const header = make(
    { kind: "oauth1", consumer_key: "key", consumer_secret: "{s}" },
    { s: "secret" },
    { method: "GET", url: "https://a.example/x", query: "b=1" },
  );
  expect(header).toMatch(/^OAuth oauth_consumer_key="key", oauth_nonce="(?:07)+", .*oauth_signature="[A-Za-z0-9%]+"$/);
});

test("OAuth 1 signatures agree with RFC 5849, section 1.2, and OAuth Core 1.0, appendix A", () => {
  const consumer = ["oauth_consumer_key", "dpf43f3p2l4k3l03"] as const;
  const method = ["oauth_signature_method", "HMAC-SHA1"] as const;
  const withoutToken = [
    consumer,
    method,
    ["oauth_timestamp", "137131200"],
    ["oauth_nonce", "wIjqoS"],
    ["oauth_callback", "http://printer.example.com/ready"],
  ] as const;
  const initiate = baseString("POST", "https://photos.example.net/initiate", withoutToken);
  expect(signatureOf(initiate, "kd94hf93k423kf44", "")).toBe("74KNZJeDHnMBp0EMJ9ZHt/XKycU=");
  const photo = [["file", "vacation.jpg"], ["size", "original"], consumer, ["oauth_token", "nnch734d00sl2jdk"], method] as const;
  const signed = (...more: readonly (readonly [string, string])[]) =>
    signatureOf(baseString("GET", "http://photos.example.net/photos", [...photo, ...more]), "kd94hf93k423kf44", "pfkkdhi9sl3r4s00");
  expect(signed(["oauth_timestamp", "137131202"], ["oauth_nonce", "chapoH"])).toBe("MdpQcU8iPSUjWoN/UDMsK2sui9I=");
  expect(signed(["oauth_timestamp", "1191242096"], ["oauth_nonce", "kllo9940pd9333jh"], ["oauth_version", "1.0"])).toBe(
    "tR3+Ty81lMeYAr/Fid0kMTYa/WM=",
  );
});

test("basic credentials agree with RFC 7617", () => {
  expect(make({ kind: "basic", user: "Aladdin", password: "{p}" }, { p: "open sesame" })).toBe("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
});

test.each(["aes-128-cbc", "aes-256-cbc", "aes-256-gcm"])("%s can be opened with its key", (cipher) => {
  const key = Buffer.alloc(cipher.includes("128") ? 16 : 32, 1);
  const text = make(
    { kind: "aes", cipher, key: "{k}", key_format: "hex", iv: "random", text: "{t}" },
    { k: key.toString("hex"), t: "₹ 100" },
  );
  const bytes = Buffer.from(text, "base64");
  const [length, tag] = cipher.endsWith("gcm") ? [12, 16] : [16, 0];
  const decipher = createDecipheriv(cipher, key, bytes.subarray(0, length)) as ReturnType<typeof createDecipheriv> & {
    setAuthTag?: (tag: Buffer) => void;
  };
  if (tag > 0) decipher.setAuthTag?.(bytes.subarray(-tag));
  expect(Buffer.concat([decipher.update(bytes.subarray(length, bytes.length - tag)), decipher.final()]).toString()).toBe("₹ 100");
});

test("RSA signs and encrypts, also with a key that was entered as one line", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString().replaceAll("\n", "\\n");
  const signature = make({ kind: "rsa_sign", digest: "sha1", text: "BEGIN", key: "{k}" }, { k: pem });
  expect(createVerify("sha1").update("BEGIN").verify(publicKey, signature, "base64")).toBe(true);
  const bare = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const secret = make({ kind: "rsa_encrypt", padding: "oaep_sha1", text: "id.1700", key: "{k}" }, { k: bare });
  const opened = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }, Buffer.from(secret, "base64"));
  expect(opened.toString()).toBe("id.1700");
});

test("a key that does not fit is a reason not to send, and is not repeated", () => {
  for (const definition of [
    { kind: "aes", cipher: "aes-256-cbc", key: "{k}", iv: "random", text: "x" },
    { kind: "rsa_sign", digest: "sha256", text: "x", key: "{k}" },
  ])
    expect(() => make(definition, { k: "too-short-secret" })).toThrow(/could not be computed; check its key$/);
});
