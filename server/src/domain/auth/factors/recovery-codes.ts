import { randomBytes } from "node:crypto";
import { digestOf } from "../tokens.ts";

const COUNT = 10;
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Each code has eighty random bits, so that a plain digest is safe to store. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly digests: readonly Buffer[] } {
  const codes = Array.from({ length: COUNT }, () => {
    const letters = [...randomBytes(16)].map((byte) => ALPHABET.charAt(byte & 31)).join("");
    return letters.replaceAll(/(.{4})(?=.)/g, "$1-");
  });
  return { codes, digests: codes.map(recoveryDigest) };
}

/** The digest of a code, ignoring case and separators. */
export function recoveryDigest(code: string): Buffer {
  const letters = code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  return digestOf(`recovery ${letters}`);
}
