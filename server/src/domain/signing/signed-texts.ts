import { createHash } from "node:crypto";
import { z } from "zod";

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const previousHash = z.union([hex, z.literal("")]);

/** What is signed for an account's day. Its keys are written in this order. */
const signedDay = z.strictObject({
  type: z.literal("ledger day"),
  installation_id: z.string(),
  account_id: z.string(),
  day: z.string(),
  /** Position among the account's signed days, from 1. */
  number: z.int(),
  first_seq: z.int(),
  last_seq: z.int(),
  lines: z.int(),
  opening_balance: z.string(),
  closing_balance: z.string(),
  /** Merkle root over the lines. */
  root: hex,
  /** SHA-256 of the marks. */
  marks: hex,
  /** SHA-256 of the previous signed day's text; empty for the first. */
  previous: previousHash,
  signed_at: z.string(),
  key_id: z.string(),
});
export type SignedDay = z.output<typeof signedDay>;

/** What is signed for a day of the whole database. */
const signedRun = z.strictObject({
  type: z.literal("signing run"),
  installation_id: z.string(),
  run: z.int(),
  day: z.string(),
  accounts: z.int(),
  lines: z.int(),
  /** Merkle root over the hashes of the accounts' signed days, in the order of account ids. */
  root: hex,
  /** The newest entry of the audit log. */
  audit_seq: z.int(),
  audit_hash: previousHash,
  previous: previousHash,
  signed_at: z.string(),
  key_id: z.string(),
});
export type SignedRun = z.output<typeof signedRun>;

export function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

/** Reads the text of a signed day; null if it is something else. */
export function parseSignedDay(text: string): SignedDay | null {
  return parseAs(signedDay, text);
}

export function parseSignedRun(text: string): SignedRun | null {
  return parseAs(signedRun, text);
}

function parseAs<Output>(schema: z.ZodType<Output>, text: string): Output | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
