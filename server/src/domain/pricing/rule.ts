import { type Money, NO_MONEY } from "../../platform/core/money.ts";
import { type Rate, rateOf } from "../../platform/core/rate.ts";

/** What a rule holds for; null is all of them. */
export type Scope = {
  readonly accountId: string | null;
  readonly service: string | null;
  /** One of the service's: without a service there is none. */
  readonly operator: string | null;
};

export type Terms = {
  /** What an order costs beside its amount. */
  readonly fee: Rate;
  /** What its success earns. */
  readonly commission: Rate;
};

export type Rule = Scope &
  Terms & {
    readonly ruleId: string;
    readonly validFrom: number;
    /** Set by hand; null while it was not. */
    readonly endedAt: number | null;
  };

/** What one order costs and earns. */
export type Agreed = { readonly fee: Money; readonly commission: Money };

export const NOTHING: Agreed = { fee: NO_MONEY, commission: NO_MONEY };

/** An order that moves no money, such as an enquiry, costs and earns nothing. */
export function agreedBy(terms: Terms, amount: Money): Agreed {
  if (amount === 0n) return NOTHING;
  const commission = rateOf(amount, terms.commission);
  // When a success is taken back, its amount must cover what it earned.
  return { fee: rateOf(amount, terms.fee), commission: commission > amount ? amount : commission };
}

/** How close a rule is to an order: the smallest number counts. The account comes first, then the operator, then the service. */
export function rankOf(scope: Scope): number {
  const general = scope.accountId === null ? 3 : 0;
  if (scope.operator !== null) return general;
  return general + (scope.service === null ? 2 : 1);
}
