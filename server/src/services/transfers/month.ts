import { indiaDate } from "../../kernel/india-time.ts";
import type { Money } from "../../kernel/money.ts";

/** `YYYY-MM` in India. */
export function indiaMonth(milliseconds: number): string {
  return indiaDate(milliseconds).slice(0, 7);
}

/** What a sender may still send; never less than nothing, also after the limit was lowered. */
export function limitLeft(limit: Money, used: Money): Money {
  return (used < limit ? limit - used : 0n) as Money;
}
