import { type Days, daysOf, NO_DAYS } from "../../sites/days.ts";
import { type Refusal, wrongFields } from "../../sites/refusal.ts";

/** Reads the requested range of days, or returns a refusal. */
export function readDayRange(asked: { readonly from?: string | undefined; readonly to?: string | undefined }, now: number): Days | Refusal {
  return daysOf(asked, now) ?? wrongFields(NO_DAYS);
}
