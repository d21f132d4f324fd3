import { type Money, moneyOf } from "../../../../platform/core/money.ts";

/** What a sender may still send this month; zero when the limit was lowered below the used amount. */
export function limitLeft(limit: Money, used: Money): Money {
  return moneyOf(used < limit ? limit - used : 0n);
}
