import { indiaDate } from "../../../../platform/core/india-time.ts";
import { moneyOf, percentOf } from "../../../../platform/core/money.ts";
import { stableHash } from "../../../providers/routing/stable-hash.ts";
import type { Bill, Biller } from "../biller.ts";
import type { AmountRange, FetchQuery } from "../provider-service.ts";

const PAISA = 100n;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const LEAST_PAISE = 150_00;
const SPREAD_PAISE = 2_350_00;
const MINIMUM_DUE_BASIS_POINTS = 500n;

const NAMES = ["Asha Verma", "Ravi Kumar", "Meera Nair", "Imran Shaikh", "Sunita Devi", "Arjun Reddy", "Kavita Joshi", "Joseph D'Souza"];

/** A customer's bill, which is the same for every fetch on one day. */
export function billOf(question: FetchQuery): Bill {
  const seed = `${question.billerId}/${question.target}`;
  const age = 5 + (stableHash(seed, 3) % 10);
  return {
    billNumber: `B${(10_000_000 + (stableHash(seed, 1) % 90_000_000)).toString()}`,
    amount: moneyOf(BigInt(LEAST_PAISE + (stableHash(seed, 2) % SPREAD_PAISE)) * PAISA),
    customerName: NAMES[stableHash(seed, 4) % NAMES.length] ?? "Asha Verma",
    billDate: indiaDate(question.createdAt - age * DAY_MILLISECONDS),
    dueDate: indiaDate(question.createdAt + (20 - age) * DAY_MILLISECONDS),
  };
}

/** From the minimum due to the amount due. */
export function rangeOf(biller: Biller, bill: Bill): AmountRange {
  const minimumDue = percentOf(bill.amount, MINIMUM_DUE_BASIS_POINTS);
  const lowest = biller.minAmount;
  if (minimumDue < lowest) return { least: lowest, most: bill.amount };
  return { least: minimumDue, most: bill.amount };
}
