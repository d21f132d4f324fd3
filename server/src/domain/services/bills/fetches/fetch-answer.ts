import { z } from "zod";
import { indiaDateTime } from "../../../../platform/core/india-time.ts";
import { add, formatMoney, NO_MONEY } from "../../../../platform/core/money.ts";
import type { Answer } from "../../../client-api/route.ts";
import { failureSentence, parseFailure } from "../../../shared/failure.ts";
import { replyAmount } from "../../fields.ts";
import { EXACTNESSES, FLOWS } from "../billers/biller.ts";
import { SERVICE } from "../context.ts";
import { boundsOf, dueAmount } from "../payments/amount-rules.ts";
import { billFee } from "../payments/bill-fee.ts";
import type { BillFetch, FetchState } from "./store.ts";

export const fetchReply = z.object({
  ok: z.literal(true),
  status: z.enum(["SUCCESS", "FAILED", "pending"]),
  code: z.number().int(),
  error: z.literal(""),
  message: z.string(),
  request_id: z.string(),
  urid: z.string(),
  service: z.string(),
  fetch_ref: z.string(),
  state: z.enum(["pending", "SUCCESS", "FAILED", "paid", "expired"]).describe("The status, and what became of a success"),
  biller_id: z.string(),
  flow: z.enum(FLOWS),
  valid_until: z.number().int().describe("Unix seconds"),
  bills: z.array(
    z.object({ bill_number: z.string(), amount: replyAmount, customer_name: z.string(), bill_date: z.string(), due_date: z.string() }),
  ),
  exactness: z.enum(EXACTNESSES),
  min_amount: replyAmount,
  max_amount: replyAmount,
  fee: replyAmount.describe("For the bills' own amount; 0.0000 while there are none"),
  total: replyAmount.describe("The bills and the fee; 0.0000 while there are none"),
  created_at: z.string(),
  updated_at: z.string(),
});

const CODES: Record<FetchState, number> = { SUCCESS: 0, FAILED: 1, pending: 2 };
const WORDS: Record<FetchState, string> = {
  SUCCESS: "The fetch succeeded.",
  FAILED: "The fetch failed.",
  pending: "The fetch is being processed.",
};

export function fetchAnswer(fetch: BillFetch, nowMilliseconds: number): Answer {
  const { terms, bills } = fetch;
  const due = dueAmount(bills);
  const fee = bills.length === 0 ? NO_MONEY : billFee(due, terms);
  const { least, most } = boundsOf(fetch);
  return {
    kind: "record",
    fields: {
      ok: true,
      status: fetch.state,
      code: CODES[fetch.state],
      error: "",
      message: failureSentence(fetch.reason === null ? null : parseFailure(fetch.reason)) ?? WORDS[fetch.state],
      request_id: fetch.requestId,
      urid: fetch.requestId,
      service: SERVICE,
      fetch_ref: fetch.fetchRef,
      state: stateNow(fetch, nowMilliseconds),
      biller_id: fetch.billerId,
      flow: terms.flow,
      valid_until: Math.floor(fetch.validUntil / 1000),
      bills: bills.map((bill) => ({
        bill_number: bill.billNumber,
        amount: formatMoney(bill.amount),
        customer_name: bill.customerName,
        bill_date: bill.billDate,
        due_date: bill.dueDate,
      })),
      exactness: terms.exactness,
      min_amount: formatMoney(least),
      max_amount: formatMoney(most),
      fee: formatMoney(fee),
      total: formatMoney(add(due, fee)),
      created_at: indiaDateTime(fetch.createdAt),
      updated_at: indiaDateTime(fetch.updatedAt),
    },
  };
}

export function hasExpired(fetch: BillFetch, nowMilliseconds: number): boolean {
  return nowMilliseconds >= fetch.validUntil;
}

/** Contract, section 6, States: a successful fetch is paid or expires. */
function stateNow(fetch: BillFetch, nowMilliseconds: number): FetchState | "paid" | "expired" {
  if (fetch.orderId !== null) return "paid";
  return fetch.state === "SUCCESS" && hasExpired(fetch, nowMilliseconds) ? "expired" : fetch.state;
}
