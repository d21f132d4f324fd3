import { z } from "zod";
import type { JsonObject } from "../../../platform/core/strict-json.ts";

// Parts of the output schemas of actions.

/** Decimal with four places. */
export const moneyText = z.string().meta({ description: "Rupees, a decimal with four places.", example: "199.0000" });
/** Time in India. */
export const timeText = z.string().meta({ description: "Time in India, YYYY-MM-DD HH:MM:SS.", example: "2026-11-16 18:30:00" });

/** A page of a list. `next` is the `after` of the next page. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject(pageFields(item));
}

/** The same as the operator API replies it. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ ok: z.literal(true), ...pageFields(item) });
}

function pageFields<Item extends z.ZodType>(item: Item) {
  return {
    items: z.array(item).readonly(),
    next: z.string().nullable().describe("Send it as `after` to get the next page; null on the last page."),
  };
}

/** An object whose fields depend on something else, such as the kind of a job. */
export const anyObject = z.custom<JsonObject>((value) => typeof value === "object" && value !== null).meta({ type: "object" });
