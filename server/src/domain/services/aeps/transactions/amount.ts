import { formatMoney, moneyOf, NO_MONEY, parseMoney } from "../../../../platform/core/money.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";

const RUPEE = 10_000n;
// Contract, section 6.
const LEAST = moneyOf(100n * RUPEE);
const MOST = moneyOf(10_000n * RUPEE);
export const AEPS_LIMITS = { least: LEAST, most: MOST } as const;
const STEP = moneyOf(50n * RUPEE);

/** Checks the amount of a payout; null when it is allowed. */
export function refuseAmount(text: string): Refusal | null {
  const amount = parseMoney(text) ?? NO_MONEY;
  if (amount < LEAST || amount > MOST) {
    return refused("amount_out_of_range", `The amount must be from ${formatMoney(LEAST)} to ${formatMoney(MOST)}.`);
  }
  return amount % STEP === 0n ? null : refused("amount_multiple", `The amount must be a multiple of ${formatMoney(STEP)}.`);
}
