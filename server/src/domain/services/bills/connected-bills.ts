import type { QueryInput, QueryResult, QueryValue } from "@corprail/connector";
import { requireMoney } from "../../../platform/core/money.ts";
import { costFault } from "../../providers/description/check/pattern-cost.ts";
import { convertedOnce, type ProviderLists } from "../signed/provider-lists.ts";
import type { ProviderQueries } from "../signed/provider-queries.ts";
import type { Biller, BillerParam } from "./billers/biller.ts";
import type { BillsProviderService, FetchFinding, FetchQuery } from "./provider-service.ts";

type ListedBiller = QueryValue<"bills.billers">["billers"][number];
type Fetched = QueryValue<"bills.fetch">;

/** The bills queries of a real provider. */
export function connectedBills(queries: ProviderQueries, lists: ProviderLists): BillsProviderService {
  return {
    billers: async () => await toBillers((await lists(queries, "bills.billers", {})).billers),
    fetch: async (question) => toFinding(await queries.ask("bills.fetch", fetchInput(question))),
    ask: async (question) => {
      // Without a status query a pending fetch can only be asked again, which charges nothing.
      const name = queries.has("bills.fetch_status") ? "bills.fetch_status" : "bills.fetch";
      return toFinding(await queries.ask(name, fetchInput(question)));
    },
  };
}

function fetchInput(question: FetchQuery): QueryInput<"bills.fetch"> {
  return {
    reference: question.fetchRef,
    biller_id: question.billerId,
    params: { ...question.params },
    customer_mobile: question.customerMobile,
    created_at: question.createdAt,
    provider_ref: question.providerRef,
  };
}

function toFinding(result: Exclude<QueryResult<Fetched>, { readonly kind: "unavailable" }>): FetchFinding {
  if (result.kind === "refused") return result.code === "no_bill_due" ? { kind: "no bill due" } : { kind: "failed", reason: result.reason };
  const { status, provider_ref: providerRef, bills, min_amount: least, max_amount: most } = result.value;
  if (status === "pending") return { kind: "pending", providerRef };
  return {
    kind: "found",
    providerRef,
    bills: bills.map((bill) => ({
      billNumber: bill.bill_number,
      amount: requireMoney(bill.amount),
      customerName: bill.customer_name,
      billDate: bill.bill_date,
      dueDate: bill.due_date,
    })),
    ...(least === undefined || most === undefined ? {} : { range: { least: requireMoney(least), most: requireMoney(most) } }),
  };
}

const toBillers = convertedOnce(toBiller);

function toBiller(listed: ListedBiller): Biller {
  return {
    billerId: listed.biller_id,
    name: listed.name,
    category: listed.category,
    flow: listed.flow,
    exactness: listed.exactness,
    minAmount: requireMoney(listed.min_amount),
    maxAmount: requireMoney(listed.max_amount),
    // The platform's own fees are in the pricing rules.
    fee: { flat: requireMoney("0"), basisPoints: 0n },
    paymentModes: listed.payment_modes,
    params: listed.params.map(toParam),
    active: listed.active,
  };
}

function toParam({ name, label, pattern, example, optional }: ListedBiller["params"][number]): BillerParam {
  return { name, label, pattern: safePattern(pattern), example, optional };
}

const ANY_VALUE = /^.{1,100}$/;

/** A pattern that is not valid, or that could take long on a malicious value, is left to the provider to check. */
function safePattern(text: string): RegExp {
  if (costFault(text) !== null) return ANY_VALUE;
  try {
    return new RegExp(text.startsWith("^") ? text : `^(?:${text})$`);
  } catch {
    return ANY_VALUE;
  }
}
