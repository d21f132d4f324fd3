import { randomBytes } from "node:crypto";
import { type Signable, signRequest } from "@corprail/sdk";
import type { RequestParts } from "./request-parts.ts";

export type Moment = { readonly timestamp?: string; readonly nonce?: string };

/** With a new timestamp and nonce unless they are given. */
export function signable(parts: RequestParts, { timestamp, nonce }: Moment = {}): Signable {
  return {
    ...parts,
    timestamp: timestamp ?? String(Math.floor(Date.now() / 1000)),
    nonce: nonce ?? randomBytes(16).toString("hex"),
  };
}

export function signedHeaders(secret: string, request: Signable): Readonly<Record<string, string>> {
  return {
    "X-Api-Timestamp": request.timestamp,
    "X-Api-Nonce": request.nonce,
    "X-Api-Signature": signRequest(secret, request),
  };
}
