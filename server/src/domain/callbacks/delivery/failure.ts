import { errors } from "undici";
import { DialRefusal } from "../../../platform/network/guarded-connector.ts";

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was lost before the answer.",
  UND_ERR_SOCKET: "The connection was lost before the answer.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The host cannot be reached.",
  ETIMEDOUT: "The host did not accept the connection in time.",
  UND_ERR_CONNECT_TIMEOUT: "The host did not accept the connection in time.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name.",
  CERT_HAS_EXPIRED: "The certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate's issuer is not trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate's issuer is not trusted.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The certificate's issuer is not trusted.",
};

/** Describes an error by its code, because its message may contain the URL or data from the receiver. */
export function describeFailure(error: unknown): string {
  if (error instanceof DialRefusal) return error.message;
  const code = codeOf(error);
  if (WORDS[code] !== undefined) return WORDS[code];
  if (error instanceof errors.HTTPParserError) return "The response is not valid HTTP.";
  if (/^(ERR_SSL|EPROTO)/.test(code)) return "The TLS handshake failed.";
  return /^[A-Z0-9_]{1,60}$/.test(code) ? `The connection failed (${code}).` : "The connection failed.";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
