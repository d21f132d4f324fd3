import { formatMoney, type Money, NO_MONEY, parseMoney } from "../../../platform/core/money.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";

const RUPEE = 10_000n;
// Contract, section 6.
const LEAST = (100n * RUPEE) as Money;
const MOST = (10_000n * RUPEE) as Money;
export const AEPS_LIMITS = { least: LEAST, most: MOST } as const;
const STEP = (50n * RUPEE) as Money;

/** Checks the amount of a payout; null when it is allowed. */
export function refuseAmount(text: string): Refusal | null {
  const amount = parseMoney(text) ?? NO_MONEY;
  if (amount < LEAST || amount > MOST) {
    return refused("amount_out_of_range", `The amount must be from ${formatMoney(LEAST)} to ${formatMoney(MOST)}.`);
  }
  return amount % STEP === 0n ? null : refused("amount_multiple", `The amount must be a multiple of ${formatMoney(STEP)}.`);
}
