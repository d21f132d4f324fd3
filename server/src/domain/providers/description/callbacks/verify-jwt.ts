import { createHmac, verify } from "node:crypto";
import { type JsonValue, parseStrictJson } from "../../../../platform/core/strict-json.ts";
import { sameSecret } from "../../wire/same-secret.ts";
import { publicKey } from "../request/compute.ts";

type Algorithm = "HS256" | "HS384" | "HS512" | "RS256" | "RS384" | "RS512";

/** The claims of a token with exactly this algorithm and a valid signature; null otherwise. */
export function verifiedClaims(token: string, algorithm: Algorithm, key: string, now: number): JsonValue | null {
  const [header = "", payload = "", signature = "", ...others] = token.split(".");
  if (others.length > 0 || member(header, "alg") !== algorithm) return null;
  const signed = `${header}.${payload}`;
  const digest = `sha${algorithm.slice(2)}`;
  const isValid = algorithm.startsWith("HS")
    ? sameSecret(signature, createHmac(digest, key).update(signed).digest("base64url"))
    : verify(digest, Buffer.from(signed), publicKey(key), Buffer.from(signature, "base64url"));
  if (!isValid) return null;
  const expires = member(payload, "exp");
  if (typeof expires === "number" && expires * 1000 < now) return null;
  const claims = parsed(payload);
  return claims.ok ? claims.value : null;
}

function parsed(part: string) {
  return parseStrictJson(Buffer.from(part, "base64url"));
}

function member(part: string, name: string): JsonValue | undefined {
  const json = parsed(part);
  return json.ok ? json.value[name] : undefined;
}
