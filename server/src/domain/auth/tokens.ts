import { createHash, randomBytes } from "node:crypto";

/** 32 random bytes. Only their digest is stored. */
export function newToken(prefix: "" | "inv_" | "rst_" | "vw_"): { readonly token: string; readonly digest: Buffer } {
  const token = prefix + randomBytes(32).toString("base64url");
  return { token, digest: digestOf(token) };
}

export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Derived from the session token, which other sites cannot read, so that it need not be stored. */
export function csrfToken(sessionToken: string): string {
  return createHash("sha256").update(`csrf ${sessionToken}`).digest("base64url");
}
