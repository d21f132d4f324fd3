import { z } from "zod";
import { indiaDate, indiaMidnight } from "../../platform/core/india-time.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
// Years that both PostgreSQL and an order id can represent.
const YEAR = /^(?:19[7-9][0-9]|2[0-9]{3})-/;

export const dayField = z
  .string()
  .refine((text) => YEAR.test(text) && (indiaMidnight(text) ?? -1) >= 0, "Must be a day such as 2026-01-31.");

export type Days = { readonly fromMilliseconds: number /** Exclusive. */; readonly toMilliseconds: number };

/** A range of days in India, both inclusive. The default is everything until now. Null if the first is after the last. */
export function daysOf(asked: { readonly from?: string | undefined; readonly to?: string | undefined }, now: number): Days | null {
  const fromMilliseconds = asked.from === undefined ? 0 : (indiaMidnight(asked.from) ?? 0);
  const toMilliseconds = (indiaMidnight(asked.to ?? indiaDate(now)) ?? 0) + DAY_MILLISECONDS;
  return fromMilliseconds < toMilliseconds ? { fromMilliseconds, toMilliseconds } : null;
}

export const NO_DAYS = { from: "Must not be after the last day." } as const;
