import { type Refusal, refused } from "../../../shared/refusals.ts";
import type { AepsKey } from "./key.ts";

/** A person's Aadhaar identity during a request. `digits` is passed to a provider and nowhere else. */
export type Person = {
  readonly kind: "person";
  readonly digits: string;
  readonly last4: string;
  /** A keyed digest that identifies the same person in the same account without the number. */
  readonly digest: Buffer;
};

// The multiplication and permutation tables of the Verhoeff checksum.
const PRODUCT: readonly string[] = [
  "0123456789",
  "1234067895",
  "2340178956",
  "3401289567",
  "4012395678",
  "5987604321",
  "6598710432",
  "7659821043",
  "8765932104",
  "9876543210",
];
const TURN: readonly string[] = [
  "0123456789",
  "1576283094",
  "5803796142",
  "8916043527",
  "9453126870",
  "4286573901",
  "2793806415",
  "7046913258",
];

export function isVerhoeff(digits: string): boolean {
  let check = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const turned = Number(TURN[place % TURN.length]?.[digit]);
    check = Number(PRODUCT[check]?.[turned]);
  }
  return check === 0;
}

const TWELVE_DIGITS = /^[0-9]{12}$/;

/** Decrypts `aadhaar_enc`. Every error leads to the same refusal, so that nothing is revealed about the content. */
export function readAadhaar(key: AepsKey, accountId: string, encrypted: string): Person | Refusal {
  const digits = key.decrypt(encrypted);
  if (digits === null || !TWELVE_DIGITS.test(digits) || !isVerhoeff(digits)) {
    return refused("invalid_aadhaar", "aadhaar_enc must contain a valid Aadhaar number, encrypted with the key from GET /aeps/key.");
  }
  return { kind: "person", digits, last4: digits.slice(-4), digest: key.digest(`${accountId}/${digits}`) };
}

export function maskedAadhaar(last4: string): string {
  return `XXXX XXXX ${last4}`;
}

/** Masks all but the last four characters. */
export function masked(text: string): string {
  return "X".repeat(Math.max(0, text.length - 4)) + text.slice(-4);
}
