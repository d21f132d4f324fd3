import { z } from "zod";
import { amount, id, query, sentOtp, text } from "./fields.ts";

/** The customer's balance and last movements, where the operation gives them. */
export const aepsResult = z.object({
  customer_balance: amount.optional(),
  entries: z.array(z.object({ date: text, type: z.enum(["DR", "CR"]), amount, narration: text })).default([]),
});

const place = { latitude: id, longitude: id };
const outlet = { agent_code: z.string(), mobile: id };

export const aepsQueries = {
  "aeps.banks": query({
    input: z.object({}),
    value: z.object({
      banks: z.array(z.object({ iin: id, name: text, live: z.boolean().default(true), per_transaction: z.boolean().default(false) })),
    }),
  }),
  /** Registers an outlet. Its owner may have to finish on a web page of the provider. */
  "aeps.outlet.register": query({
    input: z.object({
      outlet_id: id,
      email: id,
      first_name: text,
      last_name: text,
      shop_name: text,
      shop_type: text,
      pan: id,
      aadhaar: id,
      address: z.object({ line: text, city: text, state_code: text, pincode: text }),
      bank_account: id,
      ifsc: id,
      device_model: text,
      device_serial: text,
      mobile: id,
      ...place,
    }),
    value: z.object({ agent_code: id, onboarding_url: z.url().optional() }),
  }),
  /** Sends the provider's own one-time password to the outlet's owner. */
  "aeps.outlet.send_otp": query({ input: z.object({ ...outlet, ...place }), value: sentOtp }),
  "aeps.outlet.verify_otp": query({ input: z.object({ ...outlet, otp: id, otp_ref: z.string() }), value: z.object({}) }),
  /** Refused with `no_match` or `rejected`. */
  "aeps.outlet.biometric": query({ input: z.object({ ...outlet, pid: id, ...place }), value: z.object({}) }),
  /** Authenticates the outlet's owner for the day, or somebody for one transaction. Refused with `no_match` or `rejected`. */
  "aeps.authenticate": query({
    input: z.object({ ...outlet, type: z.enum(["DAILY", "TXN"]), aadhaar: id, pid: id, bank_iin: z.string(), ...place }),
    /** With an `auth_ref`, the transaction that was authenticated gets it. */
    value: z.object({ auth_ref: z.string().max(200).default("") }),
  }),
} as const;
