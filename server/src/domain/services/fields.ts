import { z } from "zod";
import { parseMoney } from "../../platform/core/money.ts";
import { isReference } from "../../platform/core/reference.ts";

// Contract, section 1: a target has no characters that would make the hash of a version 2 callback ambiguous.
const TARGET = /^[\x21-\x24\x27-\x3c\x3e-\x7e]{1,64}$/;

export const referenceField = z.string().refine(isReference, "must be 1 to 64 characters of A-Z a-z 0-9 . _ : -");
export const targetField = z.string().regex(TARGET, "must be 1 to 64 printable characters without space, & = or %");
export const operatorField = z.string().min(1, "must not be empty").max(32, "is too long");
export const amountField = z
  .string()
  .refine(
    (text) => (parseMoney(text) ?? 0n) > 0n,
    "must be an amount greater than zero such as 10 or 10.50, with at most four decimal places",
  );

export const replyAmount = z.string().describe("Decimal with four places");

/** Contract, section 4: the common fields of a transaction's reply. */
export const orderReply = z.object({
  status: z.enum(["SUCCESS", "FAILED", "pending"]),
  code: z.number().int(),
  order_id: z.string(),
  urid: z.string(),
  operator_ref: z.string().nullable(),
  amount: z.string(),
  account: z.string(),
  balance: replyAmount.nullable(),
  message: z.string(),
});
