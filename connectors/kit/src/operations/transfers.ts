import { z } from "zod";
import { id, query, sentOtp, text } from "./fields.ts";

export const transferResult = z.object({});
/** Whose account it is, as the bank says. */
export const accountCheckResult = z.object({ verified_name: text.default("") });

const sender = z.object({
  mobile: id,
  first_name: text,
  last_name: text,
  pincode: z.string(),
  latitude: z.string().default(""),
  longitude: z.string().default(""),
});
const beneficiary = z.object({ sender: id, name: text, account: id, ifsc: id, mobile: z.string().default("") });
const givenOtp = { otp: id, otp_ref: z.string() };

export const transferQueries = {
  /** Banks by the first four letters of their IFSC. A provider without this query reaches every bank. */
  "transfers.banks": query({
    input: z.object({}),
    value: z.object({
      banks: z.array(z.object({ bank: z.string().regex(/^[A-Z]{4}$/), name: text, status: z.enum(["up", "down"]).default("up") })),
    }),
  }),
  /** Whether a sender, whose mobile number we verified, may send. For providers that keep no senders of their own. */
  "transfers.sender.check": query({ input: sender, value: z.object({ status: z.enum(["VERIFIED", "BLOCKED"]) }) }),
  /** Registers a sender. A provider that mints one-time passwords sends one now. */
  "transfers.sender.register": query({
    input: sender,
    value: z.object({ status: z.enum(["OTP_SENT", "VERIFIED", "BLOCKED"]), ...sentOtp.shape }),
  }),
  "transfers.sender.resend_otp": query({ input: sender.extend({ otp_ref: z.string() }), value: sentOtp }),
  "transfers.sender.verify": query({ input: sender.extend(givenOtp), value: z.object({ status: z.enum(["VERIFIED", "BLOCKED"]) }) }),
  /** Adds a beneficiary. `beneficiary_ref` is the provider's id, which transfers get. */
  "transfers.beneficiary.add": query({
    input: beneficiary,
    value: z.object({ status: z.enum(["OTP_SENT", "ACTIVE"]), beneficiary_ref: z.string().default(""), ...sentOtp.shape }),
  }),
  "transfers.beneficiary.verify": query({
    input: beneficiary.extend({ beneficiary_ref: z.string(), ...givenOtp }),
    value: z.object({ beneficiary_ref: z.string().default("") }),
  }),
  /** Deletes a beneficiary. A provider that wants a one-time password sends it first and is asked again with it. */
  "transfers.beneficiary.delete": query({
    input: beneficiary.extend({ beneficiary_ref: z.string(), otp: z.string().optional(), otp_ref: z.string().optional() }),
    value: z.object({ status: z.enum(["DELETED", "OTP_SENT"]).default("DELETED"), ...sentOtp.shape }),
  }),
  /** Sends the one-time password of a transfer that the provider mints. The transfer gets it with its reference. */
  "transfers.send_otp": query({
    input: z.object({ reference: id, sender: id, beneficiary_ref: z.string(), account: id, ifsc: id, amount: id, mode: id }),
    value: sentOtp,
  }),
} as const;
