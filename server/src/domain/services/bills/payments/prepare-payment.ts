import { type Money, requireMoney } from "../../../../platform/core/money.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Account } from "../../../accounts/account.ts";
import { invalidFields, type Refusal, refused } from "../../../shared/refusals.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { refuseArranged } from "../../signed/service-refusals.ts";
import type { Prepared } from "../../signed/transaction.ts";
import { type Biller, type Params, targetOf } from "../billers/biller.ts";
import { findBiller, inactive } from "../billers/find-biller.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import { hasExpired } from "../fetches/fetch-answer.ts";
import { refreshFetch } from "../fetches/refresh-fetch.ts";
import { type BillFetch, findFetch } from "../fetches/store.ts";
import { type Due, refuseAmount } from "./amount-rules.ts";
import { billFee } from "./bill-fee.ts";
import type { PaymentInput } from "./create-payment.ts";
import { findPayingOrderId, insertPayment, type Payment } from "./payment-store.ts";

// Contract, section 6: 50000.00.
const PAN_FROM = 50_000n * 10_000n;

/** The bill to be paid, after the biller or the fetch was checked. */
type Subject = Due & {
  readonly kind: "subject";
  readonly fetchRef: string | null;
  readonly billerId: string;
  readonly params: Params;
  readonly target: string;
  readonly customerMobile: string;
  /** The provider's own id of the fetch. */
  readonly providerRef: string;
  /** The provider of the fetch: only it can carry the payment out. */
  readonly provider?: string;
  /** The providers that can take the payment of a direct biller. */
  readonly among?: readonly string[];
};

export async function preparePayment(ctx: BillsContext, account: Account, asked: PaymentInput): Promise<Prepared | Refusal> {
  const subject = asked.fetch_ref === undefined ? await direct(ctx, account, asked) : await fetched(ctx, account, asked.fetch_ref);
  if (subject.kind === "refused") return subject;
  const amount = requireMoney(asked.amount);
  const against = refuseAmount(amount, subject) ?? refusePayer(amount, subject, asked);
  if (against) return against;
  const payment = paymentOf(subject, asked);
  return {
    kind: "prepared",
    amount,
    amountText: asked.amount,
    fee: billFee(amount, subject.terms),
    quoted: subject.fetchRef !== null,
    target: subject.target,
    operator: subject.billerId,
    ...(subject.provider === undefined ? {} : { provider: subject.provider }),
    ...(subject.among === undefined ? {} : { allows: (provider) => subject.among?.includes(provider) ?? true }),
    details: detailsOf(subject, payment, asked),
    guard: async (tx, order) => ((await insertPayment(tx, order, payment)) ? null : alreadyPaid()),
  };
}

/** Spec, Endpoints, rule 2: a fetch_ref that has a payment creates no new one, whatever other reasons there are. */
export async function refuseUsed(ctx: BillsContext, accountId: string, fetchRef: unknown): Promise<Refusal | null> {
  const orderId = typeof fetchRef === "string" ? await findPayingOrderId(ctx.sql, accountId, fetchRef) : null;
  return orderId === null ? null : alreadyPaid();
}

async function fetched(ctx: BillsContext, account: Account, fetchRef: string): Promise<Subject | Refusal> {
  const kept = await findFetch(ctx.sql, account.accountId, fetchRef);
  if (!kept) return refused("fetch_not_found", "There is no fetch with this fetch_ref.");
  if (hasExpired(kept, ctx.clock.now())) return refused("fetch_expired", "This fetch is more than 30 minutes old. Fetch the bill again.");
  const unserved = refuseArranged(ctx, account.accountId, kept.provider, ctx.catalogue.service(SERVICE).name);
  if (unserved) return unserved;
  const fetch = await refreshFetch(ctx, kept);
  if (fetch.state === "pending") return refused("no_bill_due", "The biller has not answered yet. There is no bill to pay so far.");
  if (fetch.state === "FAILED") return refused("no_bill_due", "This fetch failed. There is no bill to pay.");
  return (await refuseInactive(ctx, fetch)) ?? { ...fetch, kind: "subject" };
}

async function refuseInactive(ctx: BillsContext, { provider, billerId, terms }: BillFetch): Promise<Refusal | null> {
  const billers = await askProvider(ctx, SERVICE, async () => (await ctx.providerServices.bills(provider)?.billers()) ?? []);
  if (billers.kind === "refused") return billers;
  return billers.value.some((one) => one.billerId === billerId && one.active) ? null : inactive(terms.name);
}

async function direct(ctx: BillsContext, account: Account, asked: PaymentInput): Promise<Subject | Refusal> {
  const { biller_id: billerId = "", params = {}, customer_mobile: customerMobile = "" } = asked;
  const found = await findBiller(ctx, { account, billerId, params, reference: asked.request_id }, refuseFetched);
  if (found.kind === "refused") return found;
  const { biller } = found;
  const target = targetOf(biller, params);
  return {
    kind: "subject",
    fetchRef: null,
    terms: biller,
    bills: [],
    range: null,
    billerId,
    params,
    target,
    customerMobile,
    providerRef: "",
    among: found.among,
  };
}

function refuseFetched(biller: Biller): Refusal | null {
  return biller.flow === "direct" ? null : invalidFields({ fetch_ref: "is required for this biller: call POST /bills/fetch first" });
}

function refusePayer(amount: Money, { terms }: Subject, asked: PaymentInput): Refusal | null {
  if (!terms.paymentModes.includes(asked.payment_mode))
    return refused("payment_mode_not_allowed", `${terms.name} takes ${terms.paymentModes.join(", ")}.`);
  if (amount >= PAN_FROM && asked.payer_pan === undefined) return refused("pan_required", "From 50000.00 on, payer_pan is required.");
  return null;
}

function alreadyPaid(): Refusal {
  return refused("fetch_already_paid", "This fetch_ref was used for another payment. Fetch the bill again to pay again.");
}

function paymentOf({ fetchRef, billerId, terms, bills: [bill] }: Subject, asked: PaymentInput): Payment {
  return {
    fetchRef,
    billerId,
    billerName: terms.name,
    category: terms.category,
    billNumber: bill?.billNumber ?? "",
    customerName: bill?.customerName ?? "",
    dueDate: bill?.dueDate ?? "",
    paymentMode: asked.payment_mode,
  };
}

/** For the provider only; the payer's name and PAN are not stored. */
function detailsOf(subject: Subject, payment: Payment, asked: PaymentInput): JsonObject {
  return {
    ...(subject.fetchRef === null ? {} : { fetch_ref: subject.fetchRef }),
    params: subject.params,
    customer_mobile: subject.customerMobile,
    fetch_provider_ref: subject.providerRef,
    bill_number: payment.billNumber,
    customer_name: payment.customerName,
    bill_date: subject.bills[0]?.billDate ?? "",
    due_date: payment.dueDate,
    payment_mode: payment.paymentMode,
    payer_name: asked.payer_name,
    ...(asked.payer_pan === undefined ? {} : { payer_pan: asked.payer_pan }),
  };
}
