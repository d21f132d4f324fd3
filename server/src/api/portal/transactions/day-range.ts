import { type Days, daysOf, NO_DAYS } from "../../sites/days.ts";
import { type Fault, fault } from "../route.ts";

/** Reads the requested range of days, or returns a fault. */
export function readDayRange(asked: { readonly from?: string | undefined; readonly to?: string | undefined }, now: number): Days | Fault {
  return daysOf(asked, now) ?? fault("invalid_request", "Not valid: from.", { fields: NO_DAYS });
}
