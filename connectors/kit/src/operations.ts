import { z } from "zod";
import { aepsQueries, aepsResult } from "./operations/aeps.ts";
import { billQueries, billResult } from "./operations/bills.ts";
import { busQueries, busResult } from "./operations/bus.ts";
import { commonQueries } from "./operations/common.ts";
import { accountCheckResult, transferQueries, transferResult } from "./operations/transfers.ts";

/**
 * The transactions of every service, with what a success may add to the reply. Each has a status operation of its own. The
 * names are those of descriptions, plug-ins and recordings.
 */
export const TRANSACTIONS = {
  "recharge.pay": { service: "recharge", operation: "", result: z.object({}) },
  "bills.pay": { service: "bills", operation: "", result: billResult },
  "transfers.send": { service: "transfers", operation: "", result: transferResult },
  "transfers.check_account": { service: "transfers", operation: "penny_drop", result: accountCheckResult },
  "bus.book": { service: "bus", operation: "", result: busResult },
  "aeps.cash_withdrawal": { service: "aeps", operation: "cash_withdrawal", result: aepsResult },
  "aeps.aadhaar_pay": { service: "aeps", operation: "aadhaar_pay", result: aepsResult },
  "aeps.balance_enquiry": { service: "aeps", operation: "balance_enquiry", result: aepsResult },
  "aeps.mini_statement": { service: "aeps", operation: "mini_statement", result: aepsResult },
} as const;
export type TransactionName = keyof typeof TRANSACTIONS;

/** The queries of every service: they move no money and give data, a refusal, or no usable answer. */
export const QUERIES = { ...commonQueries, ...billQueries, ...transferQueries, ...busQueries, ...aepsQueries } as const;
export type QueryName = keyof typeof QUERIES;
export type QueryInput<Name extends QueryName> = z.output<(typeof QUERIES)[Name]["input"]>;
export type QueryValue<Name extends QueryName> = z.output<(typeof QUERIES)[Name]["value"]>;

export type OperationName = TransactionName | QueryName;

const TRANSACTION_NAMES = Object.keys(TRANSACTIONS) as TransactionName[];

/** The transaction of a service's order; null when the service has no such operation. */
export function transactionOf(service: string, operation: string): TransactionName | null {
  return TRANSACTION_NAMES.find((name) => TRANSACTIONS[name].service === service && TRANSACTIONS[name].operation === operation) ?? null;
}

export function isQuery(name: string): name is QueryName {
  return Object.hasOwn(QUERIES, name);
}

export function isTransaction(name: string): name is TransactionName {
  return Object.hasOwn(TRANSACTIONS, name);
}
