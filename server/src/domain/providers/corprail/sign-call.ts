import { createHash } from "node:crypto";
import { percentEncode } from "../wire/percent-encode.ts";
import { hmacHex } from "../wire/same-secret.ts";

export type UnsignedCall = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: string;
};

export type Stamp = { readonly timestamp: string; readonly nonce: string };

/** Spec, Request signing, from the client's side. The gate has its own implementation, so that tests find a common mistake. */
export function signature(call: UnsignedCall, stamp: Stamp, signingSecret: string): string {
  return hmacHex(signingSecret, stringToSign(call, stamp));
}

export function stringToSign(call: UnsignedCall, stamp: Stamp): string {
  const bodyHash = createHash("sha256").update(call.body).digest("hex");
  return [call.method, call.path, queryText(call.query), bodyHash, stamp.timestamp, stamp.nonce].join("\n");
}

/** Sorted by name and percent-encoded. The same text is signed and sent. */
export function queryText(query: UnsignedCall["query"]): string {
  const signed = query.filter(([name]) => name !== "token").toSorted(([a], [b]) => (a < b ? -1 : 1));
  return signed.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join("&");
}
