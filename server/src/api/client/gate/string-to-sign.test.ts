import { createHmac, createSecretKey } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { percent, sixLines } from "../../../../../e2e/harness/sign.ts";
import { readHead } from "./request-head.ts";
import { parseQuery, pathOf, withoutTrailingSlash } from "./request-target.ts";
import { checkSignature } from "./signature.ts";
import { canonicalQuery, stringToSign } from "./string-to-sign.ts";
import { accountWith } from "./testing/account.ts";

type Vector = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly target: string;
  readonly body_hex: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly canonical_query: string;
  readonly string_to_sign: string;
  readonly signature: string;
};

const FILE = new URL("../../../../../contract/vectors/request-signing.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, "utf8")) as { readonly vectors: readonly Vector[] };

function queryOf(target: string) {
  const parsed = parseQuery(target);
  if (parsed.fault !== null) throw new Error(parsed.fault);
  return parsed.query;
}

test("the vectors file is not empty", () => {
  expect(vectors.length).toBeGreaterThanOrEqual(36);
});

test.each(vectors)("vector: $name", (vector) => {
  const path = withoutTrailingSlash(pathOf(vector.target));
  const query = queryOf(vector.target);
  const body = Buffer.from(vector.body_hex, "hex");
  expect(path).toBe(vector.path);
  expect(query.map(({ name, value }) => [name, value])).toEqual(vector.query);
  expect(canonicalQuery(query)).toBe(vector.canonical_query);
  const signed = stringToSign({ method: vector.method, path, query, body, timestamp: vector.timestamp, nonce: vector.nonce });
  expect(signed).toBe(vector.string_to_sign);
  expect(createHmac("sha256", vector.secret).update(signed).digest("hex")).toBe(vector.signature);
});

test.each(vectors)("the check accepts the vector at its time, and no other signature: $name", (vector) => {
  const isToken = vector.secret.startsWith("tok_");
  const head = (signature: string) =>
    readHead(["X-Api-Timestamp", vector.timestamp, "X-Api-Nonce", vector.nonce, "X-Api-Signature", signature]);
  const question = {
    method: vector.method,
    path: vector.path,
    query: queryOf(vector.target),
    body: Buffer.from(vector.body_hex, "hex"),
    account: accountWith({
      signingSecrets: isToken ? [] : [{ credentialId: "C", key: createSecretKey(Buffer.from(vector.secret)), expiresAt: null }],
    }),
    earlierSchemeKey: isToken ? vector.secret : null,
    nowMilliseconds: Number(vector.timestamp) * 1000,
  };
  expect(checkSignature({ ...question, head: head(vector.signature) })).toEqual({
    kind: "valid",
    nonce: vector.nonce,
    nonceExpiresAt: Number(vector.timestamp) + 300,
    signedBy: isToken ? { how: "token" } : { how: "secret", credentialId: "C" },
  });
  const other = vector.signature.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  expect(checkSignature({ ...question, head: head(other) })).toMatchObject({ kind: "refused", error: "invalid_signature" });
});

const parameters = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[A-Za-z0-9_]{1,6}$/), fc.string({ unit: "grapheme" })), {
  selector: ([name]) => name,
  maxLength: 8,
});

test("any query with allowed names survives a round trip and signs as an independent client signs it", () => {
  fc.assert(
    fc.property(parameters, fc.boolean(), (query, lowerCase) => {
      const encode = (value: string) => (lowerCase ? percent(value).replace(/%../g, (one) => one.toLowerCase()) : percent(value));
      const target = `/p?${query.map(([name, value]) => `${name}=${encode(value)}`).join("&")}`;
      const parsed = queryOf(target);
      expect(parsed.map(({ name, value }) => [name, value])).toEqual(query);
      const parts = { method: "GET", path: "/p", timestamp: "1750000000", nonce: "n" };
      expect(stringToSign({ ...parts, query: parsed, body: new Uint8Array() })).toBe(sixLines({ ...parts, query, secret: "" }).join("\n"));
    }),
    { numRuns: 300 },
  );
});

test("any body signs as an independent client signs it", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
      const parts = { method: "POST", path: "/p", timestamp: "1750000000", nonce: "n", body };
      expect(stringToSign({ ...parts, query: [] })).toBe(sixLines({ ...parts, secret: "" }).join("\n"));
    }),
  );
});

test("two different queries never have the same string to sign", () => {
  fc.assert(
    fc.property(parameters, parameters, (one, other) => {
      const sorted = (query: typeof one) =>
        JSON.stringify([...query].filter(([name]) => name !== "token").sort(([a], [b]) => (a < b ? -1 : 1)));
      fc.pre(sorted(one) !== sorted(other));
      const text = (query: typeof one) => canonicalQuery(query.map(([name, value]) => ({ name, value })));
      expect(text(one)).not.toBe(text(other));
    }),
  );
});
