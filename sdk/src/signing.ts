import { createHash, createHmac } from "node:crypto";

export type QueryPair = readonly [name: string, value: string];

export type Signable = {
  readonly method: string;
  /** Path only: no host, no query, no trailing slash. */
  readonly path: string;
  readonly query: readonly QueryPair[];
  /** The exact bytes that are sent; none for a request without a body. */
  readonly body: Uint8Array;
  readonly timestamp: string;
  readonly nonce: string;
};

/** RFC 3986: letters, digits and `- _ . ~` stay, everything else is %XX. */
export function percentEncode(text: string): string {
  // encodeURIComponent leaves five reserved characters bare.
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Spec, Request signing, line 3. Sorted by name alone: `a=` before `a1=`, which sorting whole pairs would turn round. */
export function canonicalQuery(query: readonly QueryPair[]): string {
  return query
    .filter(([name]) => name !== "token")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join("&");
}

export function bodySha256(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

export function stringToSign(request: Signable): string {
  const { method, path, query, body, timestamp, nonce } = request;
  return [method, path, canonicalQuery(query), bodySha256(body), timestamp, nonce].join("\n");
}

/** HMAC-SHA256 as 64 lower-case hex characters, keyed with the whole secret, prefix included. */
export function hmacHex(secret: string, message: string | Uint8Array): string {
  return createHmac("sha256", secret).update(message).digest("hex");
}

/** The value of X-Api-Signature. */
export function signRequest(secret: string, request: Signable): string {
  return hmacHex(secret, stringToSign(request));
}
