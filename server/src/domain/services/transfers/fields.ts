import { z } from "zod";
import { replyAmount } from "../fields.ts";
import { signedReply } from "../signed/fields.ts";

export const bankAccountField = z.string().regex(/^[0-9]{9,18}$/, "must be a bank account number of 9 to 18 digits");

export const senderShape = z.object({
  mobile: z.string(),
  name: z.string(),
  status: z.enum(["OTP_PENDING", "VERIFIED", "BLOCKED"]),
  limit_month: replyAmount,
  used_month: replyAmount,
  available_month: replyAmount,
});

export const beneficiaryShape = z.object({
  beneficiary_id: z.string(),
  name: z.string(),
  bank_name: z.string(),
  account_masked: z.string().describe("Only the last four digits"),
  ifsc: z.string(),
  verified: z.boolean().describe("A penny drop has succeeded"),
  verified_name: z.string().describe("As the bank has it; empty until a penny drop has succeeded"),
  status: z.enum(["OTP_PENDING", "ACTIVE", "DELETED"]),
});

/** The reply of a request that creates no order. */
export function recordReply<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object({
    ok: z.literal(true),
    status: z.literal("SUCCESS"),
    code: z.literal(0),
    request_id: z.string().optional(),
    urid: z.string().optional(),
    ...fields,
  });
}

export const otpRefReply = z.string().describe("Names the one-time password that was sent");

export const transferReply = signedReply({
  transfer: z.object({
    mode: z.enum(["IMPS", "NEFT"]),
    beneficiary_id: z.string(),
    beneficiary_name: z.string(),
    account_masked: z.string(),
    ifsc: z.string(),
    utr: z.string().describe("The bank's reference; empty until there is one"),
    sender: z.string(),
    refund_status: z.enum(["none", "refunded"]),
  }),
});

export const pennyDropReply = signedReply({
  verified_name: z.string(),
  account_status: z.enum(["ACTIVE", "INVALID", "UNKNOWN"]),
  name_match_score: z.string().describe("How alike the two names are, from 0 to 100"),
  utr: z.string(),
});
