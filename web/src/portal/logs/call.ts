import { logsText } from "../../messages/en/logs.ts";
import type { Schemas } from "../../portal-api.ts";

export type Call = Schemas["Call"];
export type CallDetail = Schemas["CallDetail"];
/** The lines that the service computed for a refused signature. */
export type Signature = Schemas["RefusedSignature"];

const SIGNED_NAMES: Readonly<Record<Call["signed"], string>> = {
  none: logsText.notSigned,
  secret: logsText.signingSecret,
  old_secret: logsText.oldSigningSecret,
  token: logsText.apiToken,
};

/** What the call was signed with. A signature that was refused is named, because it was sent all the same. */
export function signedText({ signed, error, signature }: Pick<CallDetail, "signed" | "error" | "signature">): string {
  if (error !== "invalid_signature") return SIGNED_NAMES[signed];
  return signature === null ? logsText.noValidSignature : logsText.aSignatureThatWasRefused;
}

export function sixLines({ method, path, canonical_query: query, body_sha256: hash, timestamp, nonce }: Signature): string {
  return [method, path, query, hash, timestamp, nonce].join("\n");
}
