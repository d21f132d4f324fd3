import { z } from "zod";

/** An amount in rupees as a decimal with at most four places, never a float. */
export const amount = z.string().regex(/^(?:0|[1-9][0-9]{0,12})(?:\.[0-9]{1,4})?$/, "must be an amount such as 10.50");
export const text = z.string().max(500);
export const id = z.string().min(1).max(200);
/** Milliseconds since 1970. */
export const time = z.int().nonnegative();

/** A query: what it is asked with and what its answer must look like. A list may come page by page. */
export function query<Input extends z.ZodType, Value extends z.ZodType>(definition: { readonly input: Input; readonly value: Value }) {
  return definition;
}

/** A one-time password that the provider sent. With `length` the service knows how many digits it accepts. */
export const sentOtp = z.object({ otp_ref: z.string().max(500).default(""), length: z.int().min(3).max(10).default(6) });
