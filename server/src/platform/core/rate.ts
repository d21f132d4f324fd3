import { add, type Money, percentOf } from "./money.ts";

/** A fee or commission rate: a flat amount plus a percentage. */
export type Rate = {
  readonly flat: Money;
  /** Hundredths of a percent. */
  readonly basisPoints: bigint;
  readonly least?: Money;
  readonly most?: Money;
};

export function rateOf(amount: Money, rate: Rate): Money {
  const sum = add(rate.flat, percentOf(amount, rate.basisPoints));
  if (rate.least !== undefined && sum < rate.least) return rate.least;
  return rate.most !== undefined && sum > rate.most ? rate.most : sum;
}
