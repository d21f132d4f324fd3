import { hash } from "node:crypto";
import type { Query } from "./request-target.ts";

const EMPTY_BODY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export type SignedParts = {
  readonly method: string;
  readonly path: string;
  readonly query: Query;
  readonly body: Uint8Array;
  readonly timestamp: string;
  readonly nonce: string;
};

/** The string to sign (spec, Request signing): six lines without a final newline. */
export function stringToSign(parts: SignedParts): string {
  return `${parts.method}\n${parts.path}\n${canonicalQuery(parts.query)}\n${bodyHash(parts.body)}\n${parts.timestamp}\n${parts.nonce}`;
}

export function canonicalQuery(query: Query): string {
  const [first] = query;
  if (first === undefined) return "";
  if (query.length === 1) return first.name === "token" ? "" : `${encode(first.name)}=${encode(first.value)}`;
  return query
    .filter((one) => one.name !== "token")
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((one) => `${encode(one.name)}=${encode(one.value)}`)
    .join("&");
}

export function bodyHash(body: Uint8Array): string {
  return body.length === 0 ? EMPTY_BODY_SHA256 : hash("sha256", body, "hex");
}

const UNRESERVED = /^[A-Za-z0-9._~-]*$/;

// encodeURIComponent does not encode five characters that RFC 3986 reserves.
function encode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
