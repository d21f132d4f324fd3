import { DialRefusal } from "../../../platform/network/guarded-connector.ts";

/** Why an identity provider could not be used. The message may be shown to the user. */
export class OidcFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OidcFault";
  }
}

// By code, because the messages of libraries may contain tokens or the provider's data.
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: "Its host name does not resolve to an address.",
  ECONNREFUSED: "It does not accept connections.",
  UND_ERR_CONNECT_TIMEOUT: "It did not accept the connection in time.",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "Its answer is too large.",
  ENCODED_ANSWER: "Its answer is compressed, which is not accepted.",
  OAUTH_TIMEOUT: "It did not answer in time.",
  OAUTH_RESPONSE_IS_NOT_CONFORM: "Its answer is not the one that OpenID Connect defines.",
  OAUTH_RESPONSE_IS_NOT_JSON: "Its answer is not JSON.",
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: "Its metadata belongs to another issuer.",
  OAUTH_RESPONSE_BODY_ERROR: "It refused the sign-in code or the client's credentials.",
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: "It refused the sign-in.",
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: "It refused the client's credentials.",
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: "The ID token has expired, or the clocks differ.",
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: "The ID token is not for this sign-in.",
  OAUTH_INVALID_RESPONSE: "The answer does not belong to this sign-in.",
  ERR_JWT_INVALID: "It is not a token.",
  ERR_JWT_EXPIRED: "The token has expired.",
  ERR_JWT_CLAIM_VALIDATION_FAILED: "The token is not for this installation.",
  ERR_JOSE_ALG_NOT_ALLOWED: "The token is signed with an algorithm that is not accepted.",
  ERR_JWKS_NO_MATCHING_KEY: "The token is signed with an unknown key.",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The token's signature is wrong.",
};

/** Runs work with an identity provider. Whatever fails becomes an OidcFault with a text for the user. */
export async function describeFault<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OidcFault) throw error;
    throw new OidcFault(wordsOf(error), error);
  }
}

function wordsOf(error: unknown, depth = 0): string {
  if (error instanceof DialRefusal) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return "It did not answer in time.";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = WORDS[code];
  if (known !== undefined) return known;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && depth < 4) return wordsOf(cause, depth + 1);
  return /^[A-Z0-9_]{1,60}$/.test(code) ? `The identity provider cannot be used (${code}).` : "The identity provider cannot be used.";
}
