import { z } from "zod";
import { orderReply, referenceField, replyAmount } from "../fields.ts";

export const requestIdField = referenceField;
/** One of our record ids: order_id, fetch_ref, block_ref and so on. */
export const recordField = z.string().regex(/^[\x21-\x7e]{1,64}$/, "must be 1 to 64 printable characters without a space");
export const mobileField = z.string().regex(/^[6-9][0-9]{9}$/, "must be a mobile number of ten digits");
export const pincodeField = z.string().regex(/^[1-9][0-9]{5}$/, "must be a pincode of six digits");
/** Codes of providers may have another length; `refuseLength` checks which. */
export const OTP_LENGTH_ERROR = "must be six digits";
export const otpField = z
  .string()
  .regex(/^[0-9]{3,10}$/, OTP_LENGTH_ERROR)
  .describe("Six digits, or as many as the message to the mobile has");
export const ifscField = z.string().regex(/^[A-Z]{4}0[A-Z0-9]{6}$/, "must be an IFSC such as HDFC0001234");
export const panField = z.string().regex(/^[A-Z]{5}[0-9]{4}[A-Z]$/, "must be a PAN such as ABCPE1234F");
export const emailField = z
  .string()
  .max(254, "is too long")
  .regex(/^[^\s@<>"]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/, "must be an email address");
export const consentField = z.literal("Y", 'must be "Y"');
/** The name of a person or a firm, in any script. */
export const nameField = z
  .string()
  .regex(/^(?!\s)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,80}(?<!\s)$/u, "must be a name of at most 80 characters, none of them a control character");

/** Contract, section 6: a lookup takes exactly one of its references. */
export function exactlyOne<Names extends string>(names: readonly Names[]) {
  return (asked: Readonly<Partial<Record<Names, unknown>>>) => names.filter((name) => asked[name] !== undefined).length === 1;
}

export function exactlyOneError(names: readonly string[]) {
  return { path: [names[0] ?? ""], error: `give exactly one of ${names.join(", ")}` };
}

/** Contract, section 6: the reply of a signed service's transaction, with the service's own part. */
export function signedReply<Block extends z.ZodRawShape>(block: Block) {
  return orderReply.extend({
    ok: z.literal(true),
    error: z.literal(""),
    request_id: z.string(),
    service: z.string(),
    fee: replyAmount,
    created_at: z.string(),
    updated_at: z.string(),
    ...block,
  });
}
