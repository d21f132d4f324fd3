import type { QueryInput, QueryResult, QueryValue } from "@corprail/connector";
import { z } from "zod";
import { formatMoney } from "../../../platform/core/money.ts";
import { FAILURE_SENTENCES } from "../../shared/failure.ts";
import { type Queries, type Read, read, readAll, resultOf } from "./ask.ts";
import type { Session } from "./client.ts";
import { detailsOf, filled, type Transactions, unwritable, written } from "./transaction.ts";

// `fetch_ref` is our own; `fetch_provider_ref` is what the fetch got from the other installation.
const details = z.object({
  fetch_ref: z.string().optional(),
  fetch_provider_ref: z.string().default(""),
  params: z.record(z.string(), z.string()),
  customer_mobile: filled,
  payment_mode: filled,
  payer_name: filled,
  payer_pan: z.string().optional(),
});

export const billTransactions: Transactions = {
  "bills.pay": {
    statusPath: "/bills/pay",
    referenceName: "request_id",
    write: async (_session, request) => {
      const given = detailsOf(request, details);
      if (!given) return unwritable("the order does not say who pays, how, and for which customer");
      const { fetch_ref: fetchRef, fetch_provider_ref: providerRef, params, customer_mobile, payment_mode, payer_name, payer_pan } = given;
      if (fetchRef !== undefined && providerRef === "") return unwritable("the provider's id of the fetch is missing");
      return written("/bills/pay", {
        request_id: request.reference,
        amount: formatMoney(request.amount),
        payment_mode,
        payer_name,
        ...(payer_pan === undefined ? {} : { payer_pan }),
        ...(providerRef === "" ? { biller_id: request.operator, params, customer_mobile } : { fetch_ref: providerRef }),
      });
    },
  },
};

const BILLERS_PAGE = 200;
const param = z.object({ name: z.string(), label: z.string(), pattern: z.string(), example: z.string(), optional: z.boolean() });
const biller = z.object({
  biller_id: z.string(),
  name: z.string(),
  category: z.string(),
  flow: z.enum(["fetch", "validate", "direct"]),
  exactness: z.enum(["exact", "exact_up", "exact_down", "range", "any"]),
  min_amount: z.string(),
  max_amount: z.string(),
  params: z.array(param),
  payment_modes: z.array(z.string()),
  status: z.enum(["active", "inactive"]),
});

const fetch = z.object({
  status: z.enum(["SUCCESS", "FAILED", "pending"]),
  request_id: z.string(),
  fetch_ref: z.string().min(1),
  message: z.string(),
  bills: z.array(
    z.object({ bill_number: z.string(), amount: z.string(), customer_name: z.string(), bill_date: z.string(), due_date: z.string() }),
  ),
  min_amount: z.string(),
  max_amount: z.string(),
});
type Fetch = z.infer<typeof fetch>;
type Fetched = QueryResult<Partial<QueryValue<"bills.fetch">>>;

export const billQueries: Queries = {
  "bills.billers": async (session) =>
    resultOf(await readAll(session, { path: "/bills/billers", limit: BILLERS_PAGE, item: biller }), (billers) => ({
      billers: billers.map(({ status, ...one }) => ({ ...one, active: status === "active" })),
    })),
  "bills.fetch": async (session, input) => fetched(await read(session.post("/bills/fetch", fetchBody(input)), fetch), input.reference),
  "bills.fetch_status": (session, input) => fetchStatus(session, input),
};

function fetchBody({ reference, biller_id, params, customer_mobile }: QueryInput<"bills.fetch">) {
  return { request_id: reference, biller_id, params, customer_mobile };
}

/** A fetch that never arrived is made now, which charges nothing: the other side keeps one fetch for each reference. */
async function fetchStatus(session: Session, input: QueryInput<"bills.fetch_status">): Promise<Fetched> {
  const query = [["request_id", input.reference] as const];
  const asked = await read(session.get("/bills/fetch", query), fetch);
  const missing = asked.kind === "refused" && asked.error === "fetch_not_found";
  return fetched(missing ? await read(session.post("/bills/fetch", fetchBody(input)), fetch) : asked, input.reference);
}

function fetched(reply: Read<Fetch>, reference: string): Fetched {
  if (reply.kind !== "answered") return resultOf(reply, () => ({}));
  const { status, request_id: requestId, fetch_ref: providerRef, message, bills, min_amount, max_amount } = reply.value;
  if (requestId !== reference) return { kind: "unavailable", why: "the reply is about another fetch" };
  if (status === "FAILED") {
    const nothingDue = message === FAILURE_SENTENCES.no_bill_due;
    return { kind: "refused", reason: `the fetch failed: ${message.slice(0, 200)}`, ...(nothingDue ? { code: "no_bill_due" } : {}) };
  }
  if (status === "pending") return { kind: "answered", value: { status: "pending", provider_ref: providerRef } };
  return { kind: "answered", value: { status: "found", provider_ref: providerRef, bills, min_amount, max_amount } };
}
