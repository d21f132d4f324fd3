import { add, type Money, moneyOf, NO_MONEY, subtract } from "../../../platform/core/money.ts";

/**
 * Splits the total of a block over its seats in proportion to the listed fares, exactly: the last seat gets the remainder. The
 * API tells the total only, which differs from the sum of the listed fares when they have changed.
 */
export function splitTotal(total: Money, listed: readonly Money[]): readonly Money[] {
  const sum = add(...listed);
  if (sum === total) return listed;
  const weights = sum === 0n ? listed.map(() => 1n) : listed;
  const whole = weights.reduce((all, one) => all + one, 0n);
  let left = total;
  return weights.map((weight, place) => {
    const share = place === weights.length - 1 ? left : moneyOf((total * weight) / whole);
    left = subtract(left, share);
    return share < 0n ? NO_MONEY : share;
  });
}
