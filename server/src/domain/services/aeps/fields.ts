import { z } from "zod";
import { emailField, ifscField, mobileField, nameField, panField, pincodeField, recordField } from "../signed/fields.ts";

const LONGEST_ENCRYPTED = 1024;
// Base64 in groups of four characters, with padding.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Error messages never repeat the value, because these fields contain secrets. */
export const aadhaarField = z
  .string()
  .min(1, "must not be empty")
  .max(LONGEST_ENCRYPTED, `must have at most ${LONGEST_ENCRYPTED} characters`)
  .regex(BASE64, "must be base64")
  .describe("RSA-OAEP-SHA256 of the 12 digits with the key of GET /aeps/key, in base64");
export const pidField = z.string().min(1, "must not be empty").describe("The PID block of the registered device, as XML");

const DEGREES = /^-?[0-9]{1,3}(?:\.[0-9]{1,10})?$/;
const degrees = (most: number) => (text: string) => DEGREES.test(text) && Math.abs(Number(text)) <= most;
export const placeFields = {
  latitude: z.string().refine(degrees(90), "must be degrees from -90 to 90 such as 19.0760"),
  longitude: z.string().refine(degrees(180), "must be degrees from -180 to 180 such as 72.8777"),
};

export const outletIdField = recordField;
export const bankIinField = z.string().regex(/^[0-9]{6}$/, "must be a bank_iin of six digits");
const plainText = (most: number) =>
  z
    .string()
    .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S}][\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u, "must be text on one line")
    .max(most, `must have at most ${most} characters`);

export const outletFields = {
  mobile: mobileField,
  email: emailField,
  first_name: nameField,
  last_name: nameField,
  shop_name: nameField,
  shop_type: z.string().regex(/^[0-9]{4}$/, "must be four digits, as merchant categories are"),
  pan: panField,
  aadhaar_enc: aadhaarField,
  address: z.object({
    line: plainText(200),
    city: plainText(80),
    state_code: z.string().regex(/^[A-Za-z0-9-]{1,6}$/, "must be a state's code such as MH"),
    pincode: pincodeField,
  }),
  bank_account: z.string().regex(/^[0-9]{6,20}$/, "must be a bank account number of 6 to 20 digits"),
  ifsc: ifscField,
  device: z.object({ model: plainText(80), serial: z.string().regex(/^[\x21-\x7e]{1,64}$/, "must be a serial number") }),
  ...placeFields,
};

/** Contract, section 6: an outlet in replies. */
export const outletReply = z.object({
  outlet_id: z.string(),
  status: z.enum(["OTP_PENDING", "BIOMETRIC_PENDING", "ACTIVE", "REKYC_REQUIRED", "SUSPENDED", "REJECTED"]),
  reason: z.string().describe("Why it was rejected or suspended, else empty"),
  mobile: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  shop_name: z.string(),
  shop_type: z.string(),
  pan_masked: z.string(),
  aadhaar_masked: z.string(),
  address: z.object({ line: z.string(), city: z.string(), state_code: z.string(), pincode: z.string() }),
  bank_account_masked: z.string(),
  ifsc: z.string(),
  device: z.object({ model: z.string(), serial: z.string() }),
  onboarding_url: z
    .string()
    .optional()
    .describe("Only with some providers: the page on which the owner completes the registration before the next step"),
  daily_auth_until: z.number().int().nullable().describe("Until when the day's authentication holds"),
  created_at: z.string(),
  updated_at: z.string(),
});

export const okReply = z.object({ ok: z.literal(true) });
