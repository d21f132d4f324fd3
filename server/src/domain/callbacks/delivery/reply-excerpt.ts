import { redact } from "../../../platform/observability/redact.ts";

/** So much of a receiver's reply is read for the log of attempts. */
export const MAX_EXCERPT_BYTES = 1_024;
// A delivery is rarely looked at, and there are many.
const MAX_DELIVERED = 200;

// More characters that are no text mean a picture or a compressed reply.
const MAX_UNREADABLE = 10;

const CONTROL = /[^\P{C}\n\t]/gu;
// Numbers of cards, accounts, phones and identities: only the last four digits are kept.
const LONG_NUMBER = /\d{9,}/g;
const KEPT_DIGITS = 4;

/** The beginning of a receiver's reply for clients and staff, without secrets and long numbers; undefined if it was empty. */
export function replyExcerpt(bytes: Buffer, isDelivered: boolean): string | undefined {
  const text = redact(bytes.toString("utf8"))
    .replace(CONTROL, "\u{fffd}")
    .replace(LONG_NUMBER, (digits) => `${"•".repeat(digits.length - KEPT_DIGITS)}${digits.slice(-KEPT_DIGITS)}`)
    .trim();
  if (text === "") return undefined;
  if (text.split("\u{fffd}").length > MAX_UNREADABLE) return "[not text]";
  // Cutting may halve a character, which PostgreSQL would refuse.
  return isDelivered ? Buffer.from(text.slice(0, MAX_DELIVERED)).toString() : text;
}
