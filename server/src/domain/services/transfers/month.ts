import type { Money } from "../../../platform/core/money.ts";

/** What a sender may still send; never less than nothing, also after the limit was lowered. */
export function limitLeft(limit: Money, used: Money): Money {
  return (used < limit ? limit - used : 0n) as Money;
}
