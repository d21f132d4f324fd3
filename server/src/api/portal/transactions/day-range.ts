import { type Refusal, wrongFields } from "../../sites/actions/refusal.ts";
import { type Days, daysOf, NO_DAYS } from "../../sites/days.ts";

/** Reads the requested range of days, or returns a refusal. */
export function readDayRange(asked: { readonly from?: string | undefined; readonly to?: string | undefined }, now: number): Days | Refusal {
  return daysOf(asked, now) ?? wrongFields(NO_DAYS);
}
