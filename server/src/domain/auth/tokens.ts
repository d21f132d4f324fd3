import { createHash, randomBytes } from "node:crypto";

/** 32 random bytes; what is kept of them is their digest, which says nothing about them. */
export function newToken(prefix: "" | "inv_" | "rst_" | "vw_"): { readonly token: string; readonly digest: Buffer } {
  const token = prefix + randomBytes(32).toString("base64url");
  return { token, digest: digestOf(token) };
}

export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Follows from the cookie's token, which a foreign page cannot read; so it is kept nowhere. */
export function csrfToken(sessionToken: string): string {
  return createHash("sha256").update(`csrf ${sessionToken}`).digest("base64url");
}
