import { z } from "zod";
import { callbackOutput } from "../../sites/outputs/callback-outputs.ts";
import { orderStatus, shownStatus, timelineEventOutput, waitingOutput } from "../../sites/outputs/order-outputs.ts";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { complaintOutput } from "../complaints/outputs.ts";
import { assignee } from "../work/outputs.ts";

/** An order in a list. */
export const orderRowOutput = z
  .strictObject({
    order_id: z.string(),
    account_id: z.string(),
    account_name: z.string(),
    service: z.string(),
    urid: z.string().describe("The client's reference."),
    status: orderStatus,
    shown: shownStatus,
    amount: moneyText,
    fee: moneyText,
    account: z.string().describe("The recharged number, the consumer number, or what else the order is for."),
    operator: z.string(),
    operator_name: z.string(),
    provider: z.string(),
    operator_ref: z.string().nullable(),
    reason: z.string().nullable().describe("Why it failed, in the words for staff."),
    created_at: timeText,
    updated_at: timeText,
    assigned_to: assignee,
  })
  .meta({ id: "OrderRow" });

const order = z.strictObject({
  order_id: z.string(),
  account_id: z.string(),
  service: z.string(),
  urid: z.string().describe("The client's reference."),
  status: orderStatus,
  amount: z.string().describe("As the client wrote it."),
  fee: moneyText,
  commission: moneyText,
  account: z.string(),
  operator: z.string(),
  circle: z.string().nullable(),
  provider: z.string(),
  operator_ref: z.string().nullable(),
  reason: z.string().nullable().describe("Why it failed, in the words for staff."),
  message: z.string().nullable().describe("Why it failed, as the client reads it."),
  answered_pending: z.boolean().describe("Whether the client was answered before the order was final."),
  waiting: waitingOutput.nullable().describe("Why the order is in doubt, and when its provider is asked next."),
  created_at: timeText,
  updated_at: timeText,
});

const orderDetail = order.extend({
  account_name: z.string(),
  call: z.string().describe("The operation of the service that created it; empty if the service has only one."),
  shown: shownStatus,
  amount_exact: moneyText,
  credit: z.boolean().describe("A success credits the wallet instead of debiting it."),
  refunded: moneyText.nullable().describe("The sum of partial refunds."),
  operator_name: z.string(),
});

const posting = z.strictObject({
  seq: z.int(),
  kind: z.string(),
  from: z.string(),
  to: z.string(),
  amount: moneyText,
  balance_after: moneyText,
  at: timeText,
});

const unfinishedCancellation = z.strictObject({
  cancel_id: z.string(),
  seats: z.array(z.string()).readonly(),
  refund_amount: moneyText.describe("What the client gets if the seats are cancelled."),
  asked_times: z.int().describe("Calls to the provider so far."),
  next_at: timeText.describe("When the provider is asked next."),
  doubt: z.string().nullable().describe("Why staff must decide; null while the provider may still answer."),
  created_at: timeText,
});

const attempt = z.strictObject({
  attempt: z.int(),
  provider: z.string(),
  outcome: z.string().nullable(),
  detail: z.string().nullable(),
  started_at: timeText,
  ended_at: timeText.nullable(),
});

export const exchangeOutput = z
  .strictObject({
    operation: z.string().describe("The connector's operation, such as bills.pay or bills.pay.status."),
    at: timeText,
    milliseconds: z.int(),
    request: z.string().describe("Method, address, headers and body, with secrets and identities masked."),
    reply: z.string().nullable().describe("Status, headers and body, masked likewise; null if there was no reply."),
    problem: z.string().nullable().describe("Why there is no usable reply."),
  })
  .meta({ id: "ProviderExchange" });

const providerFacts = {
  provider_ref: z.string().nullable().describe("The provider's own id of the transaction."),
  cost: moneyText.nullable().describe("What the provider charged."),
  balance: moneyText.nullable().describe("The balance at the provider afterwards."),
};

const attemptDetail = attempt.extend({
  ...providerFacts,
  exchanges: z.array(exchangeOutput).readonly().describe("Requests to the provider and their replies, oldest first."),
  asked: z
    .strictObject({
      reference: z.string(),
      service: z.string(),
      operator: z.string(),
      account: z.string(),
      amount: moneyText,
      circle: z.string().nullable(),
    })
    .describe("The fields that the provider received."),
});

/** An order with its postings and attempts only. */
export const orderHistoryOutput = z
  .strictObject({ order, postings: z.array(posting).readonly(), attempts: z.array(attempt).readonly() })
  .meta({ id: "OrderHistory" });

/** An order with everything that belongs to it. */
export const orderOutput = z
  .strictObject({
    order: orderDetail,
    postings: z.array(posting).readonly(),
    attempts: z.array(attemptDetail).readonly(),
    callbacks: z.array(callbackOutput).readonly(),
    complaints: z.array(complaintOutput).readonly(),
    cancellations: z.array(unfinishedCancellation).readonly().describe("Cancellations of a bus ticket that have no result so far."),
    timeline: z.array(timelineEventOutput).readonly(),
  })
  .meta({ id: "OrderDetail" });

/** The evidence of an order for a dispute with its providers. */
export const evidenceOutput = z
  .strictObject({
    order_id: z.string(),
    service: z.string(),
    operator: z.string(),
    account: z.string(),
    amount: moneyText,
    status: orderStatus,
    operator_ref: z.string().nullable(),
    created_at: timeText,
    exported_at: timeText,
    attempts: z.array(attempt.extend({ ...providerFacts, exchanges: z.array(exchangeOutput).readonly() })).readonly(),
  })
  .meta({ id: "OrderEvidence" });

/** An order, and what its provider said about it when asked just now. */
export const requeriedOrderOutput = orderOutput
  .extend({
    finding: z.strictObject({
      provider: z.string(),
      said: z.string().describe("The provider's answer."),
      detail: z.string().nullable(),
      applied: z.boolean().describe("Whether the answer changed the order."),
    }),
  })
  .meta({ id: "RequeriedOrder" });
