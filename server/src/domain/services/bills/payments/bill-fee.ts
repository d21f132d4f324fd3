import { type Money, moneyOf } from "../../../../platform/core/money.ts";
import { rateOf } from "../../../../platform/core/rate.ts";
import type { Terms } from "../billers/biller.ts";

/** The fee of a payment: the biller's fee, and the account's fee as it was when this was quoted. */
export function billFee(amount: Money, { fee, charge }: Terms): Money {
  const own = rateOf(amount, fee);
  return moneyOf(charge && amount > 0n ? own + rateOf(amount, charge) : own);
}
