import { formatMoney, type Money, moneyOf, parseMoney } from "../../../../platform/core/money.ts";
import type { Rate } from "../../../../platform/core/rate.ts";
import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Row } from "../../../../platform/db/schema/row-types.ts";
import type { Bill, Params, Terms } from "../billers/biller.ts";
import type { AmountRange } from "../provider-service.ts";

export type FetchState = "pending" | "SUCCESS" | "FAILED";

/** A fetch and its result. */
export type BillFetch = {
  readonly accountId: string;
  readonly fetchRef: string;
  readonly requestId: string;
  readonly provider: string;
  readonly billerId: string;
  readonly terms: Terms;
  readonly params: Params;
  readonly target: string;
  readonly customerMobile: string;
  readonly state: FetchState;
  readonly bills: readonly Bill[];
  readonly range: AmountRange | null;
  readonly reason: string | null;
  /** The provider's own id of the fetch, which the payment gets; empty when it has none. */
  readonly providerRef: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly validUntil: number;
  /** The order that paid it. */
  readonly orderId: string | null;
};

type FetchRow = Pick<
  Row<"bill_fetches">,
  | "account_id"
  | "fetch_ref"
  | "request_id"
  | "provider"
  | "biller_id"
  | "target"
  | "customer_mobile"
  | "min_amount"
  | "max_amount"
  | "reason"
  | "provider_ref"
  | "created_at"
  | "updated_at"
  | "valid_until"
> & {
  readonly terms: StoredTerms;
  readonly params: Params;
  readonly state: FetchState;
  readonly bills: readonly StoredBill[];
  readonly order_id: string | null;
};

export async function insertFetch(sql: Queryable, fetch: BillFetch): Promise<void> {
  await sql`
    insert into bill_fetches (account_id, fetch_ref, request_id, provider, biller_id, terms, params, target, customer_mobile, state, bills,
      min_amount, max_amount, reason, provider_ref, created_at, updated_at, valid_until)
    values (${fetch.accountId}, ${fetch.fetchRef}, ${fetch.requestId}, ${fetch.provider}, ${fetch.billerId},
      ${JSON.stringify(toStoredTerms(fetch.terms))}::text::jsonb, ${JSON.stringify(fetch.params)}::text::jsonb, ${fetch.target},
      ${fetch.customerMobile}, ${fetch.state}, ${JSON.stringify(fetch.bills.map(toStoredBill))}::text::jsonb, ${fetch.range?.least ?? null},
      ${fetch.range?.most ?? null}, ${fetch.reason}, ${fetch.providerRef}, ${new Date(fetch.createdAt)}, ${new Date(fetch.updatedAt)},
      ${new Date(fetch.validUntil)})`;
}

/** Stores the result of a pending fetch; does nothing when it is no longer pending. */
export async function updateFound(
  sql: Queryable,
  fetch: Pick<BillFetch, "accountId" | "fetchRef" | "state" | "bills" | "range" | "reason" | "providerRef" | "updatedAt">,
): Promise<void> {
  await sql`
    update bill_fetches set state = ${fetch.state}, bills = ${JSON.stringify(fetch.bills.map(toStoredBill))}::text::jsonb,
      min_amount = ${fetch.range?.least ?? null}, max_amount = ${fetch.range?.most ?? null}, reason = ${fetch.reason},
      provider_ref = ${fetch.providerRef}, updated_at = ${new Date(fetch.updatedAt)}
    where account_id = ${fetch.accountId} and fetch_ref = ${fetch.fetchRef} and state = 'pending'`;
}

export async function findFetch(sql: Queryable, accountId: string, fetchRef: string): Promise<BillFetch | null> {
  const [row] = await sql<FetchRow[]>`
    select ${columns(sql)} where f.account_id = ${accountId} and f.fetch_ref = ${fetchRef}`;
  return row ? toFetch(row) : null;
}

export async function findFetchOfRequest(sql: Queryable, accountId: string, requestId: string): Promise<BillFetch | null> {
  const [row] = await sql<FetchRow[]>`
    select ${columns(sql)} where f.account_id = ${accountId} and f.request_id = ${requestId}`;
  return row ? toFetch(row) : null;
}

function columns(sql: Queryable) {
  return sql`f.account_id, f.fetch_ref, f.request_id, f.provider, f.biller_id, f.terms, f.params, f.target, f.customer_mobile, f.state,
    f.bills, f.min_amount, f.max_amount, f.reason, f.provider_ref, f.created_at, f.updated_at, f.valid_until, p.order_id
    from bill_fetches f left join bill_payments p on p.account_id = f.account_id and p.fetch_ref = f.fetch_ref`;
}

function toFetch(row: FetchRow): BillFetch {
  return {
    accountId: row.account_id,
    fetchRef: row.fetch_ref,
    requestId: row.request_id,
    provider: row.provider,
    billerId: row.biller_id,
    terms: readTerms(row.terms),
    params: row.params,
    target: row.target,
    customerMobile: row.customer_mobile,
    state: row.state,
    bills: row.bills.map((bill) => ({ ...bill, amount: readMoney(bill.amount) })),
    range: row.min_amount === null || row.max_amount === null ? null : { least: moneyOf(row.min_amount), most: moneyOf(row.max_amount) },
    reason: row.reason,
    providerRef: row.provider_ref,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    validUntil: row.valid_until.getTime(),
    orderId: row.order_id,
  };
}

// JSON has no bigint, so money is stored as text.
type StoredBill = Omit<Bill, "amount"> & { readonly amount: string };
type StoredTerms = Omit<Terms, "minAmount" | "maxAmount" | "fee" | "charge"> & {
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly flatFee: string;
  readonly basisPoints: string;
  readonly charge?: StoredRate;
};
type StoredRate = { readonly flat: string; readonly basisPoints: string; readonly least?: string; readonly most?: string };

function toStoredBill(bill: Bill): StoredBill {
  return { ...bill, amount: formatMoney(bill.amount) };
}

function toStoredTerms({ name, category, flow, exactness, minAmount, maxAmount, fee, charge, paymentModes }: Terms): StoredTerms {
  return {
    ...{ name, category, flow, exactness, paymentModes },
    minAmount: formatMoney(minAmount),
    maxAmount: formatMoney(maxAmount),
    flatFee: formatMoney(fee.flat),
    basisPoints: fee.basisPoints.toString(),
    ...(charge ? { charge: toStoredRate(charge) } : {}),
  };
}

function toStoredRate({ flat, basisPoints, least, most }: Rate): StoredRate {
  return {
    flat: formatMoney(flat),
    basisPoints: basisPoints.toString(),
    ...(least === undefined ? {} : { least: formatMoney(least) }),
    ...(most === undefined ? {} : { most: formatMoney(most) }),
  };
}

function readTerms({ flatFee, basisPoints, minAmount, maxAmount, charge, ...others }: StoredTerms): Terms {
  const fee = { flat: readMoney(flatFee), basisPoints: BigInt(basisPoints) };
  const terms = { ...others, minAmount: readMoney(minAmount), maxAmount: readMoney(maxAmount), fee };
  return charge ? { ...terms, charge: readRate(charge) } : terms;
}

function readRate({ flat, basisPoints, least, most }: StoredRate): Rate {
  return {
    flat: readMoney(flat),
    basisPoints: BigInt(basisPoints),
    ...(least === undefined ? {} : { least: readMoney(least) }),
    ...(most === undefined ? {} : { most: readMoney(most) }),
  };
}

function readMoney(text: string): Money {
  const amount = parseMoney(text);
  if (amount === null) throw new Error("A stored amount is not valid.");
  return amount;
}
