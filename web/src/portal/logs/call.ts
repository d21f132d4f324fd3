import type { Schemas } from "../../portal-api.ts";
import type { Tone } from "../../ui/badge.tsx";

export type Call = Schemas["Call"];
export type CallDetail = Schemas["CallDetail"];
/** The lines that the service computed for a refused signature. */
export type Signature = Schemas["RefusedSignature"];

export const SIGNED_NAMES: Readonly<Record<Call["signed"], string>> = {
  none: "Not signed",
  secret: "Signing secret",
  old_secret: "Old signing secret",
  token: "API token",
};

export function statusTone(status: number): Tone {
  if (status >= 500) return "bad";
  if (status >= 400) return "wait";
  return "good";
}

export function sixLines({ method, path, canonical_query: query, body_sha256: hash, timestamp, nonce }: Signature): string {
  return [method, path, query, hash, timestamp, nonce].join("\n");
}
