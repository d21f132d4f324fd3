import { z } from "zod";
import { timeText } from "./output-fields.ts";

// Parts of orders as clients and staff see them.

export const orderStatus = z.enum(["pending", "SUCCESS", "FAILED"]);
export const shownStatus = z
  .enum(["pending", "SUCCESS", "FAILED", "Reversed"])
  .describe("The state, or Reversed for FAILED after SUCCESS.");

/** Why an order is in doubt, and when its provider is asked next. */
export const waitingOutput = z.strictObject({ why: z.string(), polls: z.int(), next_at: timeText, needs_human: z.boolean() });

/** An event of an order's history. */
export const timelineEventOutput = z.strictObject({ at: timeText, kind: z.string(), title: z.string(), detail: z.string() });
