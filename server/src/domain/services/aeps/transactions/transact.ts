import { z } from "zod";
import { indiaDate } from "../../../../platform/core/india-time.ts";
import { NO_MONEY, requireMoney } from "../../../../platform/core/money.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import type { Account } from "../../../accounts/account.ts";
import { type Route, route } from "../../../client-api/route.ts";
import type { Order } from "../../../orders/order.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { amountField } from "../../fields.ts";
import { consentField, mobileField, recordField, requestIdField, signedReply } from "../../signed/fields.ts";
import { knowsReference } from "../../signed/find-order.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import { answerTransaction, type Prepared } from "../../signed/transaction.ts";
import { liveBank } from "../ask-provider.ts";
import { type Person, readAadhaar } from "../authentication/aadhaar.ts";
import { isDailyAuthentication, readProviderAuthRef, useAuthentication } from "../authentication/authentication-store.ts";
import type { KeyHolder } from "../authentication/key.ts";
import { refusePid } from "../authentication/pid.ts";
import { type AepsContext, BODY_LIMIT_BYTES, SERVICE } from "../context.ts";
import { aadhaarField, bankIinField, outletIdField, pidField, placeFields } from "../fields.ts";
import { type Outlet, outletNotFound, refuseTransaction } from "../outlets/outlet.ts";
import { findOutlet, lockOutlet, noteUse } from "../outlets/outlet-store.ts";
import type { Bank } from "../provider-service.ts";
import { aepsBlock, aepsReply } from "./aeps-block.ts";
import { refuseAmount } from "./amount.ts";
import { countWithdrawals, insertTransaction } from "./transaction-store.ts";

const common = {
  request_id: requestIdField,
  outlet_id: outletIdField,
  customer_mobile: mobileField,
  bank_iin: bankIinField,
  aadhaar_enc: aadhaarField,
  pid: pidField,
  ...placeFields,
  consent: consentField,
  auth_ref: recordField.optional().describe("Of a TXN authentication, where the bank wants one"),
};
const enquiry = z.object(common);
const payment = z.object({ ...common, amount: amountField });
type Input = z.infer<typeof enquiry> & { readonly amount?: string };

const OPERATIONS = {
  balance_enquiry: { input: enquiry, summary: "Queries a customer's bank balance; moves no money" },
  mini_statement: { input: enquiry, summary: "Returns a mini statement of a customer's bank account; moves no money" },
  cash_withdrawal: { input: payment, summary: "Pays cash to a customer; a success credits the wallet" },
  aadhaar_pay: { input: payment, summary: "Takes a payment from a customer; a success credits the wallet" },
} as const;
type Operation = keyof typeof OPERATIONS;

const ENQUIRY_AMOUNT = "0";
const MAX_WITHDRAWALS = 5;

/** Contract, section 6: the four transactions of this service. */
export function aepsTransactions(ctx: AepsContext, unsealKey: KeyHolder): readonly Route[] {
  return (Object.keys(OPERATIONS) as Operation[]).map((operation) => transact(ctx, unsealKey, operation));
}

function transact(ctx: AepsContext, unsealKey: KeyHolder, operation: Operation): Route {
  const { input, summary } = OPERATIONS[operation];
  const moves = input === payment;
  return route<Input>({
    method: "POST",
    path: `/aeps/${operation}`,
    service: SERVICE,
    kind: "transaction",
    bodyLimitBytes: BODY_LIMIT_BYTES,
    summary,
    input,
    reply: signedReply({ aeps: aepsReply }),
    refusals: [
      ...REFUSALS,
      ...(moves ? PAYMENT_REFUSALS : []),
      ...(operation === "cash_withdrawal" ? (["customer_daily_count"] as const) : []),
    ],
    knows: knowsReference(ctx, SERVICE, operation),
    handle: async ({ account, input: asked }) =>
      await answerTransaction(ctx, {
        service: SERVICE,
        operation,
        account,
        requestId: asked.request_id,
        fingerprint: fingerprintOf(asked),
        sent: { amount: asked.amount ?? ENQUIRY_AMOUNT, account: asked.customer_mobile },
        prepare: async () => await prepare(ctx, unsealKey, { operation, account, asked }),
        block: async (order) => await aepsBlock(ctx, order),
      }),
  });
}

const REFUSALS = [
  "outlet_not_found",
  "outlet_not_active",
  "rekyc_required",
  "daily_auth_required",
  "bank_not_live",
  "invalid_aadhaar",
  "invalid_pid",
  "device_not_registered",
  "txn_auth_required",
] as const;
const PAYMENT_REFUSALS = ["amount_multiple"] as const;

type Request = { readonly operation: Operation; readonly account: Account; readonly asked: Input };
type Checked = { readonly kind: "checked"; readonly outlet: Outlet; readonly bank: Bank; readonly customer: Person };

async function prepare(ctx: AepsContext, unsealKey: KeyHolder, request: Request): Promise<Prepared | Refusal> {
  const checked = await check(ctx, unsealKey, request);
  if (checked.kind === "refused") return checked;
  const { asked } = request;
  const { outlet, customer } = checked;
  const authRef = asked.auth_ref === undefined ? "" : await readProviderAuthRef(ctx.sql, outlet, asked.auth_ref);
  return {
    kind: "prepared",
    amount: asked.amount === undefined ? NO_MONEY : requireMoney(asked.amount),
    amountText: asked.amount ?? ENQUIRY_AMOUNT,
    fee: NO_MONEY,
    credit: true,
    target: asked.customer_mobile,
    operator: asked.bank_iin,
    provider: outlet.provider,
    guard: async (tx, order) => await store(ctx, tx, order, request, checked),
    details: {
      outlet_id: outlet.outletId,
      agent_code: outlet.agentCode,
      outlet_mobile: outlet.mobile,
      bank_iin: asked.bank_iin,
      aadhaar: customer.digits,
      pid: asked.pid,
      latitude: asked.latitude,
      longitude: asked.longitude,
      consent: asked.consent,
      ...(authRef === "" ? {} : { auth_ref: authRef }),
    },
  };
}

async function check(ctx: AepsContext, unsealKey: KeyHolder, { account, asked }: Request): Promise<Checked | Refusal> {
  const { accountId } = account;
  const outlet = await findOutlet(ctx.sql, { accountId, outletId: asked.outlet_id });
  const refusal = outlet ? refuseTransaction(outlet, ctx.clock.now()) : outletNotFound();
  if (!outlet || refusal) return refusal ?? outletNotFound();
  const bank = await liveBank(ctx, outlet, asked.bank_iin);
  if (bank.kind === "refused") return bank;
  const wrongAmount = asked.amount === undefined ? null : refuseAmount(asked.amount);
  if (wrongAmount) return wrongAmount;
  const customer = readAadhaar(await unsealKey(), accountId, asked.aadhaar_enc);
  if (customer.kind === "refused") return customer;
  const wrongPid = refusePid(asked.pid, outlet.deviceSerial);
  return wrongPid ?? { kind: "checked", outlet, bank: bank.value, customer };
}

/** Checks that must hold when the order is accepted. Writes only after all checks have passed. */
async function store(ctx: AepsContext, tx: Transaction, order: Order, request: Request, checked: Checked): Promise<Refusal | null> {
  const { operation, asked } = request;
  const { bank, customer } = checked;
  const outlet = await lockOutlet(tx, checked.outlet);
  const refusal = outlet ? refuseTransaction(outlet, ctx.clock.now()) : outletNotFound();
  if (!outlet || refusal) return refusal ?? outletNotFound();
  const { accountId, outletId } = outlet;
  const day = indiaDate(order.createdAt);
  const visit = { accountId, outletId, customerDigest: customer.digest, day };
  if (operation === "cash_withdrawal" && (await countWithdrawals(tx, visit)) >= MAX_WITHDRAWALS) return tooMany();
  const moves = asked.amount !== undefined;
  const unauthenticated = await refuseAuthentication(ctx, tx, { order, outlet, bank, customer, moves, authRef: asked.auth_ref ?? null });
  if (unauthenticated) return unauthenticated;
  await insertTransaction(tx, { ...visit, orderId: order.orderId, operation, bankName: bank.name, customerLast4: customer.last4 });
  await noteUse(tx, outlet, new Date(ctx.clock.now()));
  return null;
}

function tooMany(): Refusal {
  return refused("customer_daily_count", `This customer has had ${MAX_WITHDRAWALS} withdrawals at this outlet today.`);
}

type Question = {
  readonly order: Order;
  readonly outlet: Outlet;
  readonly bank: Bank;
  readonly customer: Person;
  /** Whether the transaction moves money. Enquiries never need a separate authentication. */
  readonly moves: boolean;
  readonly authRef: string | null;
};

/** Uses the given TXN authentication. Refuses when the bank requires one and it is missing, or when the given one is not valid. */
async function refuseAuthentication(ctx: AepsContext, tx: Transaction, question: Question): Promise<Refusal | null> {
  const { order, outlet, bank, customer, authRef } = question;
  const wanted = question.moves && bank.perTransaction;
  if (authRef === null) return wanted ? refused("txn_auth_required", `${bank.name} wants a TXN authentication: POST /aeps/auth.`) : null;
  const { accountId, outletId, ownerDigest } = outlet;
  const at = new Date(ctx.clock.now());
  const use = { accountId, outletId, authRef, orderId: order.orderId, bankIin: bank.iin, at };
  if (await useAuthentication(tx, { ...use, persons: [ownerDigest, customer.digest] })) return null;
  // A DAILY authentication is accepted where no TXN authentication is required.
  if (!wanted && (await isDailyAuthentication(tx, use))) return null;
  return refused("txn_auth_required", "auth_ref is not an unused TXN authentication of this outlet and bank, at most 5 minutes old.");
}
