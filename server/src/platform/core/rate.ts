import { type Money, percentOf } from "./money.ts";

/** How much of an amount something is: so much, and a share of it. */
export type Rate = {
  readonly flat: Money;
  /** In hundredths of a percent. */
  readonly basisPoints: bigint;
  readonly least?: Money;
  readonly most?: Money;
};

export function rateOf(amount: Money, rate: Rate): Money {
  const sum = (rate.flat + percentOf(amount, rate.basisPoints)) as Money;
  if (rate.least !== undefined && sum < rate.least) return rate.least;
  return rate.most !== undefined && sum > rate.most ? rate.most : sum;
}
