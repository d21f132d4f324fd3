import type { Schemas } from "../../portal-api.ts";
import type { Tone } from "../../ui/badge.tsx";

export type Call = Schemas["Call"];
export type CallDetail = Schemas["CallDetail"];
/** The lines that the service computed for a refused signature. */
export type Signature = Schemas["RefusedSignature"];

const SIGNED_NAMES: Readonly<Record<Call["signed"], string>> = {
  none: "Not signed",
  secret: "Signing secret",
  old_secret: "Old signing secret",
  token: "API token",
};

/** What the call was signed with. A signature that was refused is named, because it was sent all the same. */
export function signedText({ signed, error, signature }: Pick<CallDetail, "signed" | "error" | "signature">): string {
  if (error !== "invalid_signature") return SIGNED_NAMES[signed];
  return signature === null ? "No valid signature" : "A signature that was refused";
}

export function statusTone(status: number): Tone {
  if (status >= 500) return "bad";
  if (status >= 400) return "wait";
  return "good";
}

export function sixLines({ method, path, canonical_query: query, body_sha256: hash, timestamp, nonce }: Signature): string {
  return [method, path, query, hash, timestamp, nonce].join("\n");
}
