import { type Days, daysOf, NO_DAYS } from "../../sites/days.ts";
import { type Fault, fault } from "../route.ts";

/** The days that are asked for, or what is wrong with them. */
export function readDayRange(asked: { readonly from?: string | undefined; readonly to?: string | undefined }, now: number): Days | Fault {
  return daysOf(asked, now) ?? fault("invalid_request", "Not valid: from.", { fields: NO_DAYS });
}
