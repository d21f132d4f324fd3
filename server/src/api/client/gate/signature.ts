import type { Account } from "../../../domain/accounts/account.ts";
import type { SignedBy } from "../../../domain/api-log/call.ts";
import { type Refusal, refused } from "../../../domain/shared/refusals.ts";
import type { RequestHead } from "./request-head.ts";
import { isSignedBy } from "./signed-by.ts";
import { type SignedParts, stringToSign } from "./string-to-sign.ts";

const FRESH_SECONDS = 300;
const TIMESTAMP = /^[1-9][0-9]{9}$/;
const NONCE = /^[\x21-\x7e]{1,64}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

export const HOW_TO_SIGN =
  "This call must be signed: send X-Api-Timestamp, X-Api-Nonce and X-Api-Signature, the HMAC-SHA256 with your signing secret " +
  "of method, path, canonical query, body SHA-256, timestamp and nonce joined by newlines.";

export type Verdict =
  | { readonly kind: "unsigned" }
  | { readonly kind: "valid"; readonly nonce: string; readonly nonceExpiresAt: number; readonly signedBy: SignedBy }
  | Refusal;

export type SignatureQuestion = Omit<SignedParts, "timestamp" | "nonce"> & {
  readonly head: RequestHead;
  readonly account: Account;
  /** The API token where the earlier scheme is still accepted; else null. */
  readonly earlierSchemeKey: string | null;
  readonly nowMilliseconds: number;
};

/** Checks a signature, except whether its nonce was used before. */
export function checkSignature(question: SignatureQuestion): Verdict {
  const { head } = question;
  if (head.signature.length + head.timestamp.length + head.nonce.length === 0) return { kind: "unsigned" };
  if (head.signature.length > 1 || head.timestamp.length > 1 || head.nonce.length > 1)
    return bad("A signature header was sent more than once.");
  const [signature = "", timestamp = "", nonce = ""] = [head.signature[0], head.timestamp[0], head.nonce[0]];
  const fault = formFault(signature, timestamp, nonce, question.nowMilliseconds);
  if (fault) return bad(fault);
  const signed = stringToSign({
    method: question.method,
    path: question.path,
    query: question.query,
    body: question.body,
    timestamp,
    nonce,
  });
  const signedBy = signerOf(question, signed, Buffer.from(signature, "hex"));
  if (!signedBy) return bad("The signature does not match the request. Sign the exact bytes sent, with the whole signing secret.");
  return { kind: "valid", nonce, nonceExpiresAt: Number(timestamp) + FRESH_SECONDS, signedBy };
}

export function replayed(): Refusal {
  return bad("The nonce was used before. Every attempt needs a new timestamp and a new nonce.");
}

function formFault(signature: string, timestamp: string, nonce: string, nowMilliseconds: number): string | null {
  if (!SIGNATURE.test(signature)) return "X-Api-Signature must be 64 lowercase hexadecimal digits.";
  if (!TIMESTAMP.test(timestamp)) return "X-Api-Timestamp must be the Unix time in seconds, ten digits.";
  if (!NONCE.test(nonce)) return "X-Api-Nonce must be 1 to 64 printable characters without a space.";
  const now = Math.floor(nowMilliseconds / 1000);
  if (Math.abs(now - Number(timestamp)) > FRESH_SECONDS)
    return `X-Api-Timestamp is more than ${FRESH_SECONDS} seconds from the service's time, which is ${now}.`;
  return null;
}

const BY_TOKEN: SignedBy = { how: "token" };

function signerOf(question: SignatureQuestion, signed: string, given: Buffer): SignedBy | null {
  for (const { key, expiresAt, credentialId } of question.account.signingSecrets) {
    if ((expiresAt === null || expiresAt > question.nowMilliseconds) && isSignedBy(key, signed, given))
      return { how: expiresAt === null ? "secret" : "old_secret", credentialId };
  }
  return question.earlierSchemeKey !== null && isSignedBy(question.earlierSchemeKey, signed, given) ? BY_TOKEN : null;
}

function bad(message: string): Refusal {
  return refused("invalid_signature", message);
}
