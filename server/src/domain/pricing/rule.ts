import { type Money, NO_MONEY } from "../../platform/core/money.ts";
import { type Rate, rateOf } from "../../platform/core/rate.ts";

/** What a rule applies to; null means all. */
export type Scope = {
  readonly accountId: string | null;
  readonly service: string | null;
  /** An operator of the service; null without a service. */
  readonly operator: string | null;
};

export type Terms = {
  /** The fee of an order in addition to its amount. */
  readonly fee: Rate;
  /** The commission of a successful order. */
  readonly commission: Rate;
};

export type Rule = Scope &
  Terms & {
    readonly ruleId: string;
    readonly validFrom: number;
    /** When it was ended manually; null otherwise. */
    readonly endedAt: number | null;
  };

/** The fee and commission of one order. */
export type Agreed = { readonly fee: Money; readonly commission: Money };

export const NOTHING: Agreed = { fee: NO_MONEY, commission: NO_MONEY };

/** An order without an amount, such as an enquiry, has no fee and no commission. */
export function agreedBy(terms: Terms, amount: Money): Agreed {
  if (amount === 0n) return NOTHING;
  const commission = rateOf(amount, terms.commission);
  // The commission never exceeds the amount, so that a reversal can take it back.
  return { fee: rateOf(amount, terms.fee), commission: commission > amount ? amount : commission };
}

/** How specific a rule is; the smallest number applies. The account comes first, then the operator, then the service. */
export function rankOf(scope: Scope): number {
  const general = scope.accountId === null ? 3 : 0;
  if (scope.operator !== null) return general;
  return general + (scope.service === null ? 2 : 1);
}
