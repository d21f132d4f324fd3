import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bench } from "../testing/scripted-fetch.js";
import { requestVectors } from "../testing/vectors.js";
import { bodySha256, canonicalQuery, signRequest, stringToSign } from "./signing.js";

test.each(requestVectors)("request-signing vector: $name", (vector) => {
  const { method, path, query, timestamp, nonce } = vector;
  const body = Uint8Array.from(Buffer.from(vector.body_hex, "hex"));
  const request = { method, path, query, body, timestamp, nonce };
  expect(canonicalQuery(query)).toBe(vector.canonical_query);
  expect(bodySha256(body)).toBe(vector.body_sha256);
  expect(stringToSign(request)).toBe(vector.string_to_sign);
  expect(signRequest(vector.secret, request)).toBe(vector.signature);
});

test("a change of any part of a request changes its signature", () => {
  for (const vector of requestVectors) {
    const { method, path, query, timestamp, nonce, secret, signature } = vector;
    const body = Uint8Array.from(Buffer.from(vector.body_hex, "hex"));
    const request = { method, path, query, body, timestamp, nonce };
    const others = [
      { ...request, method: `${method}X` },
      { ...request, path: `${path}/x` },
      { ...request, query: [...query, ["zz", "1"] as const] },
      { ...request, body: Uint8Array.from([...body, 32]) },
      { ...request, timestamp: `${timestamp}0` },
      { ...request, nonce: `${nonce}0` },
    ];
    for (const other of others) expect(signRequest(secret, other), vector.name).not.toBe(signature);
    expect(signRequest(`${secret}0`, request)).not.toBe(signature);
  }
});

const name = fc.stringMatching(/^[A-Za-z0-9_]{1,8}$/);
const value = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !/\p{Surrogate}/u.test(text));
const queries = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 8 });

// Byte by byte from RFC 3986, sharing nothing with the code.
function percent(text: string): string {
  const unreserved = /[A-Za-z0-9\-._~]/;
  const bytes = [...Buffer.from(text, "utf8")].map((byte) => [byte, String.fromCharCode(byte)] as const);
  return bytes.map(([byte, sign]) => (unreserved.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)).join("");
}

test("the canonical query is the sorted, byte-wise encoded one, whatever the order given", () => {
  fc.assert(
    fc.property(queries, (query) => {
      const signed = query.filter(([key]) => key !== "token");
      const sorted = [...signed].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const expected = sorted.map(([key, text]) => `${percent(key)}=${percent(text)}`).join("&");
      expect(canonicalQuery(query)).toBe(expected);
      expect(canonicalQuery([...query].reverse())).toBe(expected);
    }),
  );
});

test("a canonical query decodes to what was given, and passes a URL unchanged", () => {
  fc.assert(
    fc.property(queries, (query) => {
      const signed = query.filter(([key]) => key !== "token");
      const text = canonicalQuery(query);
      const parts = text === "" ? [] : text.split("&").map((part) => part.split("=").map(decodeURIComponent));
      expect(Object.fromEntries(parts)).toEqual(Object.fromEntries(signed));
      expect(new URL(`https://x.example/?${text}`).search).toBe(text === "" ? "" : `?${text}`);
    }),
  );
});

test("what is sent is what was signed: path, query, bytes, timestamp and nonce", async () => {
  const { corprail, sent } = bench([{ status: 200, body: { ok: true, items: [], next: null } }]);
  await corprail.recharge.plans({ operator: "A T!", circle: "Ü" }).toArray();
  const [one] = sent;
  const lines = [
    "GET",
    "/api/corp/v1/plans",
    one?.query,
    bodySha256(new Uint8Array()),
    one?.headers["X-Api-Timestamp"],
    one?.headers["X-Api-Nonce"],
  ];
  expect(one?.query).toBe("circle=%C3%9C&operator=A%20T%21");
  const signature = createHmac("sha256", "sig_FAKE-SECRET-OF-THE-SDK-TESTS").update(lines.join("\n")).digest("hex");
  expect(one?.headers["X-Api-Signature"]).toBe(signature);
  expect(one?.headers["X-Api-Timestamp"]).toBe("1750000000");
});
