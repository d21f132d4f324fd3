import { formatMoney, type Money, moneyOf } from "../../../../platform/core/money.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import type { Bill, Exactness, Terms } from "../billers/biller.ts";
import type { AmountRange } from "../provider-service.ts";

/** A payable amount: the biller's terms, and the fetched bills if any. */
export type Due = { readonly terms: Terms; readonly bills: readonly Bill[]; readonly range: AmountRange | null };

export function dueAmount(bills: readonly Bill[]): Money {
  return moneyOf(bills.reduce((sum, bill) => sum + bill.amount, 0n));
}

/** The minimum and maximum of a payment, before its exactness is checked. */
export function boundsOf({ terms, range }: Pick<Due, "terms" | "range">): AmountRange {
  const ofBill = terms.exactness === "range" ? range : null;
  return ofBill ?? { least: terms.minAmount, most: terms.maxAmount };
}

type Rule = { readonly fits: (amount: Money, due: Money, bounds: AmountRange) => boolean; readonly words: string };

const RULES: Record<Exactness, Rule> = {
  exact: { fits: (amount, due) => amount === due, words: "exactly what is due" },
  exact_up: { fits: (amount, due) => amount >= due, words: "what is due or more" },
  exact_down: { fits: (amount, due) => amount <= due, words: "what is due or less" },
  range: { fits: (amount, _due, { least, most }) => amount >= least && amount <= most, words: "an amount in the range of this bill" },
  any: { fits: () => true, words: "any amount" },
};

/** Checks the biller's limits first (contract, section 2), then the bill's exactness. */
export function refuseAmount(amount: Money, owed: Due): Refusal | null {
  const { terms, bills } = owed;
  if (amount < terms.minAmount || amount > terms.maxAmount) {
    const range = `from ${formatMoney(terms.minAmount)} to ${formatMoney(terms.maxAmount)}`;
    return refused("amount_out_of_range", `${terms.name} takes ${range}.`);
  }
  // A customer who was only validated has no known bill.
  if (bills.length === 0) return null;
  const [rule, due, bounds] = [RULES[terms.exactness], dueAmount(bills), boundsOf(owed)];
  if (rule.fits(amount, due, bounds)) return null;
  const asked = terms.exactness === "range" ? `${formatMoney(bounds.least)} to ${formatMoney(bounds.most)}` : formatMoney(due);
  return refused("amount_mismatch", `${terms.name} takes ${rule.words}: ${asked}.`);
}
