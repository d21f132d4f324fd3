import { createHash, createHmac, verify } from "node:crypto";
import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import { parseAddress, parseRange } from "../../../../platform/network/address.ts";
import { isInAnyRange } from "../../../../platform/network/public-address.ts";
import type { CallbackRefusalReason } from "../../callbacks/refused-callback.ts";
import type { ProviderMessage } from "../../connector.ts";
import { sameSecret } from "../../wire/same-secret.ts";
import type { CallbackAuth, CallbackDefinition } from "../language/callbacks.ts";
import { bytesOf, publicKey } from "../request/compute.ts";
import { render, type Scope } from "../template/render.ts";
import { verifiedClaims } from "./verify-jwt.ts";

/** What proves a message. `hint`: nothing does. The claims are those of a verified token. */
export type Proof =
  | { readonly ok: true; readonly isHint: boolean; readonly claims?: JsonValue }
  | { readonly ok: false; readonly refused: CallbackRefusalReason };

export type Authenticated = {
  readonly message: ProviderMessage;
  /** The values that templates of the signature use. */
  readonly scope: Scope;
  /** The text of a field of the body. */
  readonly field: (path: string) => string | null;
  /** The text of a field of the document inside the message. */
  readonly inner: (path: string) => string | null;
  readonly secrets: Readonly<Record<string, string>>;
  readonly now: number;
};

type Placed = { readonly [Where in "header" | "query" | "field" | "inner"]?: string | undefined };

const REFUSED: Proof = { ok: false, refused: "wrong_key" };
const PROVED: Proof = { ok: true, isHint: false };

/** Whether a message is the provider's. Never throws; a key that cannot be used proves nothing. */
export function authenticate(callback: CallbackDefinition, given: Authenticated): Proof {
  if (callback.addresses !== undefined && !isFrom(callback.addresses, given.message.source)) return REFUSED;
  try {
    return proofOf(callback.auth, given);
  } catch {
    return REFUSED;
  }
}

function proofOf(auth: CallbackAuth, given: Authenticated): Proof {
  switch (auth.kind) {
    case "hint":
      return { ok: true, isHint: true };
    case "addresses":
      // A description without addresses is refused when it is read, so the source was checked above.
      return PROVED;
    case "key":
      return sameSecret(placed(auth, given), secretOf(auth.secret, given)) ? PROVED : REFUSED;
    case "jwt": {
      const claims = verifiedClaims(placed(auth, given), auth.algorithm, secretOf(auth.secret, given), given.now);
      return claims === null ? REFUSED : { ok: true, isHint: false, claims };
    }
    default:
      return signedProof(auth, given);
  }
}

export type Signed = Extract<CallbackAuth, { readonly kind: "hmac" | "hash" | "rsa" }>;

function signedProof(auth: Signed, given: Authenticated): Proof {
  const carried = placed(auth, given);
  if (!carried.toLowerCase().startsWith(auth.prefix.toLowerCase())) return REFUSED;
  if (!isSigned(auth, carried.slice(auth.prefix.length), given)) return REFUSED;
  return isStale(auth, given) ? { ok: false, refused: "stale" } : PROVED;
}

function isSigned(auth: Signed, signature: string, given: Authenticated): boolean {
  if (auth.kind === "rsa") {
    const bytes = Buffer.from(signature, auth.output);
    const text = Buffer.from(render(auth.text, given.scope));
    return bytes.length > 0 && verify(auth.digest, text, publicKey(secretOf(auth.secret, given)), bytes);
  }
  return sameSecret(auth.output === "hex" ? signature.toLowerCase() : signature, digestOf(auth, given));
}

/** The signature that a message must carry, without its prefix. The twin signs with it. */
export function digestOf(auth: Exclude<Signed, { readonly kind: "rsa" }>, given: Authenticated): string {
  const text = render(auth.text, given.scope);
  const digest =
    auth.kind === "hash"
      ? createHash(auth.digest).update(text)
      : createHmac(auth.digest, bytesOf(secretOf(auth.secret, given), auth.key_format)).update(text);
  return digest.digest(auth.output).slice(0, auth.length);
}

function isStale({ time }: Signed, given: Authenticated): boolean {
  if (time === undefined) return false;
  const text = placed(time, given);
  const at = /^[0-9]{1,16}$/.test(text) ? Number(text) * (time.unit === "seconds" ? 1000 : 1) : Number.NaN;
  return !(Math.abs(given.now - at) <= time.within_seconds * 1000);
}

/** An empty secret proves nothing. */
export function secretOf(name: string, { secrets }: Authenticated): string {
  const secret = Object.hasOwn(secrets, name) ? (secrets[name] ?? "") : "";
  if (secret === "") throw new Error("The secret is not set.");
  return secret;
}

/** What a message carries at the place that the description names. */
export function placed(where: Placed, { message, field, inner }: Authenticated): string {
  if (where.header !== undefined) return headerOf(message, where.header);
  if (where.query !== undefined) return Object.hasOwn(message.query, where.query) ? (message.query[where.query] ?? "") : "";
  if (where.inner !== undefined) return inner(where.inner) ?? "";
  return where.field === undefined ? "" : (field(where.field) ?? "");
}

export function headerOf(message: ProviderMessage, name: string): string {
  const wanted = name.toLowerCase();
  return Object.entries(message.headers).find(([header]) => header.toLowerCase() === wanted)?.[1] ?? "";
}

function isFrom(ranges: readonly string[], source: string): boolean {
  const address = parseAddress(source);
  return (
    address !== null &&
    isInAnyRange(
      ranges.map(parseRange).filter((range) => range !== null),
      address,
    )
  );
}
