import { isEarly } from "../../../../platform/core/clock.ts";
import { indiaDate } from "../../../../platform/core/india-time.ts";
import { moneyOf, percentOf } from "../../../../platform/core/money.ts";
import { stableHash } from "../../../providers/routing/stable-hash.ts";
import type { ProviderServiceOptions } from "../../signed/provider-services.ts";
import type { Bill, Biller } from "../billers/biller.ts";
import type { AmountRange, BillsProviderService, FetchFinding, FetchQuery } from "../provider-service.ts";
import { CONNECTIONS } from "./connections.ts";
import { DUES } from "./dues.ts";
import { UTILITIES } from "./utilities.ts";

/** All billers of the simulator. */
export const BILLERS: readonly Biller[] = [...UTILITIES, ...CONNECTIONS, ...DUES];

/** A biller whose bills have narrower limits than the biller. */
const BILLER_WITH_RANGES = "SBICARD00NAT01";

const NOTHING_DUE_ENDING = "40404";
const ENDING_LENGTH = NOTHING_DUE_ENDING.length;
const FAILED: FetchFinding = { kind: "failed", reason: "The simulator's biller does not answer for this customer." };

type Ending = { readonly first: "pending" | "found" | "failed"; readonly later: "found" | "failed" };

// The target endings of contract section 9 apply to payments: such a bill is found at once, so that it can be paid. Fetches
// have their own, longer endings.
const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ["40102", { first: "failed", later: "failed" }],
  ["40202", { first: "pending", later: "failed" }],
  ["40200", { first: "pending", later: "found" }],
]);
const FOUND: Ending = { first: "found", later: "found" };

/** The simulator's bills queries. Results depend only on the target and the time of the fetch, so they survive a restart. */
export function simulatedBills(options: ProviderServiceOptions): BillsProviderService {
  const early = (question: FetchQuery) => isEarly(options.clock.now(), question.createdAt, options.simulatorDelayMilliseconds);
  return {
    billers: () => Promise.resolve(BILLERS),
    fetch: (question) => Promise.resolve(findingOf(question, endingOf(question).first)),
    ask: (question) => Promise.resolve(findingOf(question, early(question) ? endingOf(question).first : endingOf(question).later)),
  };
}

function endingOf(question: FetchQuery): Ending {
  return ENDINGS.get(question.target.slice(-ENDING_LENGTH)) ?? FOUND;
}

function findingOf(question: FetchQuery, result: Ending["first"]): FetchFinding {
  if (result === "pending") return { kind: "pending" };
  const biller = BILLERS.find((one) => one.billerId === question.billerId);
  if (result === "failed" || !biller) return FAILED;
  if (biller.flow !== "fetch") return { kind: "found", bills: [] };
  if (question.target.endsWith(NOTHING_DUE_ENDING)) return { kind: "no bill due" };
  const bill = billOf(question);
  const bills = [bill];
  return biller.billerId === BILLER_WITH_RANGES ? { kind: "found", bills, range: rangeOf(biller, bill) } : { kind: "found", bills };
}

const PAISA = 100n;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const LEAST_PAISE = 150_00;
const SPREAD_PAISE = 2_350_00;
const MINIMUM_DUE_BASIS_POINTS = 500n;

const NAMES = ["Asha Verma", "Ravi Kumar", "Meera Nair", "Imran Shaikh", "Sunita Devi", "Arjun Reddy", "Kavita Joshi", "Joseph D'Souza"];

/** A customer's bill, which is the same for every fetch on one day. */
function billOf(question: FetchQuery): Bill {
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
function rangeOf(biller: Biller, bill: Bill): AmountRange {
  const minimumDue = percentOf(bill.amount, MINIMUM_DUE_BASIS_POINTS);
  const lowest = biller.minAmount;
  if (minimumDue < lowest) return { least: lowest, most: bill.amount };
  return { least: minimumDue, most: bill.amount };
}
