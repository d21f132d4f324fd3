import { z } from "zod";

/** Treats an empty filter as absent. */
export function left<Value>(schema: z.ZodType<Value, string>): z.ZodType<Value | undefined, string | undefined> {
  return z.union([z.literal("").transform(() => undefined), schema]).optional();
}

/** A code or an id of any kind. */
export const word = left(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "Must be a code or an id."));
