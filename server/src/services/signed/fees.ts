import { type Money, percentOf } from "../../kernel/money.ts";

export type FeeRule = {
  readonly flat: Money;
  /** In hundredths of a percent. */
  readonly basisPoints: bigint;
  readonly least?: Money;
};

export function feeOf(amount: Money, rule: FeeRule): Money {
  const fee = rule.flat + percentOf(amount, rule.basisPoints);
  return (rule.least !== undefined && fee < rule.least ? rule.least : fee) as Money;
}
