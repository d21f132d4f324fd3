import { z } from "zod";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";

const STEPS = ["token", "address", "first_call", "signing_secret", "callback_2xx", "version_3"] as const;

const step = z.strictObject({ step: z.enum(STEPS), done: z.boolean(), at: timeText.nullable() });

/** The go-live checklist, in the order of its steps. */
export const checklistOutput = z.array(step.meta({ id: "ChecklistStep" })).readonly();

/** The orders of today. */
export const todayOutput = z.strictObject({
  value: moneyText.describe("The sum of the successful orders."),
  count: z.int(),
  success: z.int(),
  failed: z.int(),
  pending: z.int(),
  success_rate: z.number().nullable().describe("From 0 to 1; null if no order was decided."),
});

/** Today's summary of the account. */
export const homeOutput = z
  .strictObject({
    balance: moneyText,
    held: moneyText,
    low_balance: z.strictObject({ threshold: moneyText, below: z.boolean() }).nullable(),
    today: todayOutput,
    pending_old: z.strictObject({ count: z.int() }),
    callbacks_failing: z.strictObject({ count: z.int() }),
    waiting_for: z
      .array(z.enum(["kyc", "agreement"]))
      .readonly()
      .describe("What the platform has not approved yet. Until then transactions are refused."),
    checklist: checklistOutput,
    is_new: z.boolean().describe("Whether a step of the checklist is left."),
  })
  .meta({ id: "Home" });

export const menuCountsOutput = z
  .strictObject({
    transactions: z.int().describe("Pending for more than ten minutes, up to 1,000."),
    callbacks: z.int().describe("Attempted and not delivered, up to 1,000."),
  })
  .meta({ id: "MenuCounts" });

export const hourOutput = z.strictObject({ at: timeText, success: z.int(), failed: z.int(), pending: z.int() });
export const bucketOutput = z.strictObject({ bucket: z.string(), count: z.int() });

/** The orders of the last hours, and how long they took to be final. */
export const homeChartsOutput = z
  .strictObject({ per_hour: z.array(hourOutput).readonly(), time_to_final: z.array(bucketOutput).readonly() })
  .meta({ id: "HomeCharts" });
