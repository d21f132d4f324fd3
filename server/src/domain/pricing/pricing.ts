import type { Money } from "../../platform/core/money.ts";
import type { Rate } from "../../platform/core/rate.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Change } from "../audit/feed.ts";
import { type Agreed, agreedBy, NOTHING, type Rule } from "./rule.ts";
import { type RuleBook, ruleBook } from "./rule-book.ts";
import { readRules } from "./store.ts";

/** The pricing rules in memory, because every order needs them. */
export type Pricing = {
  /** The fee and commission of an order accepted at this time. */
  readonly agree: (accountId: string, service: string, operator: string, amount: Money, at: number) => Agreed;
  /** The rate of the fee, for orders that are quoted now and paid later; null when there is none. */
  readonly feeRate: (accountId: string, service: string, operator: string, at: number) => Rate | null;
  readonly ruleFor: RuleBook;
  readonly reload: () => Promise<void>;
};

export async function loadPricing(sql: Sql): Promise<Pricing> {
  let current = pricingOf(await readRules(sql));
  return {
    agree: (accountId, service, operator, amount, at) => current.agree(accountId, service, operator, amount, at),
    feeRate: (accountId, service, operator, at) => current.feeRate(accountId, service, operator, at),
    ruleFor: (accountId, service, operator, at) => current.ruleFor(accountId, service, operator, at),
    reload: async () => {
      current = pricingOf(await readRules(sql));
    },
  };
}

/** Pricing from fixed rules. */
export function pricingOf(rules: readonly Rule[]): Omit<Pricing, "reload"> {
  if (rules.length === 0) return NONE;
  const ruleFor = ruleBook(rules);
  return {
    ruleFor,
    agree: (accountId, service, operator, amount, at) => {
      const rule = ruleFor(accountId, service, operator, at);
      return rule ? agreedBy(rule, amount) : NOTHING;
    },
    feeRate: (accountId, service, operator, at) => ruleFor(accountId, service, operator, at)?.fee ?? null,
  };
}

const NONE: Omit<Pricing, "reload"> = { agree: () => NOTHING, feeRate: () => null, ruleFor: () => null };

/** Updates the rules from the change feed. */
export function pricingChanges(pricing: Pricing): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    if (changes.some((change) => change.kind === "commercial")) await pricing.reload();
  };
}
