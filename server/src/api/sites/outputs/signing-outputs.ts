import { z } from "zod";
import type { PublicKey } from "../../../domain/signing/signing-key.ts";
import type { SignedDayRow } from "../../../domain/signing/store.ts";
import { indiaDateTime, indiaMonthSpan } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { moneyText, timeText } from "./output-fields.ts";

/** A signed day of an account's ledger. */
export const signedDayOutput = z
  .strictObject({
    day: z.string().meta({ description: "The day in India, YYYY-MM-DD.", example: "2026-11-16" }),
    number: z.int().describe("Position among the account's signed days."),
    first_entry: z.int().describe("The number of the day's first transfer."),
    last_entry: z.int().describe("The number of the day's last transfer."),
    closing_balance: moneyText,
    root: z.string().describe("Merkle root of the day's transfers (RFC 9162), in hexadecimal digits."),
    signed: z.string().describe("The exact text that the signature covers."),
    signature: z.string().describe("Ed25519, in Base64."),
    key_id: z.string().describe("Fingerprint of the public key."),
  })
  .meta({ id: "SignedDay" });

export function signedDayView(row: SignedDayRow): z.output<typeof signedDayOutput> {
  return {
    day: row.day,
    number: Number(row.number),
    first_entry: Number(row.first_seq),
    last_entry: Number(row.last_seq),
    closing_balance: formatMoney(row.closing_balance),
    root: row.root.toString("hex"),
    signed: row.signed_text,
    signature: row.signature.toString("base64"),
    key_id: row.key_id,
  };
}

/** A public key that verifies signed days. */
export const signingKeyOutput = z
  .strictObject({ key_id: z.string(), public_key: z.string().describe("PEM."), created_at: timeText })
  .meta({ id: "SigningKey" });

export function signingKeyView({ key_id, public_key, created_at }: PublicKey): z.output<typeof signingKeyOutput> {
  return { key_id, public_key, created_at: indiaDateTime(created_at.getTime()) };
}

const FILE = /^([0-9]{4}-[0-9]{2})\.jsonl$/;

/** The month of a file such as `2026-11.jsonl`. */
export const signedFileField = z
  .string()
  .meta({ example: "2026-11.jsonl" })
  .transform((file, ctx) => {
    const month = FILE.exec(file)?.[1] ?? "";
    const span = indiaMonthSpan(month);
    if (span !== null) return { month, ...span };
    ctx.addIssue("Must be a month and .jsonl, such as 2026-11.jsonl.");
    return z.NEVER;
  });

/** The media type of signed files: one JSON value in each line. */
export const JSON_LINES = "application/x-ndjson";
