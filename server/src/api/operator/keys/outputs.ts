import { z } from "zod";
import { timeText } from "../../sites/output-fields.ts";

export const keyOutput = z.strictObject({ key_id: z.string(), name: z.string(), created_at: timeText }).meta({ id: "OperatorKey" });

/** A new key. Nothing shows it again. */
export const createdKeyOutput = z.strictObject({ key_id: z.string(), api_key: z.string() }).meta({ id: "CreatedOperatorKey" });
