import { isEarly } from "../../../../platform/core/clock.ts";
import type { ProviderServiceOptions } from "../../signed/provider-services.ts";
import type { BillsProviderService, FetchFinding, FetchQuery } from "../provider-service.ts";
import { BILLER_WITH_RANGES, BILLERS } from "./billers.ts";
import { billOf, rangeOf } from "./bills.ts";

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
