import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Compares in constant time, also regarding the length. */
export function sameSecret(given: string, expected: string): boolean {
  return expected !== "" && timingSafeEqual(digest(given), digest(expected));
}

export function hmacHex(key: string, message: string): string {
  return createHmac("sha256", key).update(message).digest("hex");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
