import { z } from "zod";
import { callbackAttemptOutput, callbackOutput } from "../../sites/outputs/callback-outputs.ts";
import { orderStatus, shownStatus, timelineEventOutput, waitingOutput } from "../../sites/outputs/order-outputs.ts";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { complaintOutput } from "../complaints/complaint-actions.ts";

/** A transaction of any service. */
export const transactionOutput = z
  .strictObject({
    order_id: z.string(),
    urid: z.string().describe("The client's reference."),
    service: z.string(),
    operator: z.string(),
    operator_name: z.string(),
    account: z.string().describe("The recharged number, the consumer number, or what else the order is for."),
    amount: moneyText,
    fee: moneyText,
    commission: moneyText.describe("Earned when the order succeeds."),
    credit: z.boolean().describe("A success credits the wallet instead of debiting it."),
    refunded: moneyText.nullable().describe("The sum of partial refunds."),
    status: orderStatus,
    shown: shownStatus,
    operator_ref: z.string().nullable(),
    reason: z.string().nullable().describe("Why it failed."),
    created_at: timeText,
    updated_at: timeText,
  })
  .meta({ id: "Transaction" });

/** A posting of the ledger. */
export const postingOutput = z
  .strictObject({
    entry_id: z.string(),
    kind: z.string(),
    from: z.string(),
    to: z.string(),
    amount: moneyText,
    balance_after: moneyText,
    at: timeText,
  })
  .meta({ id: "Posting" });

/** A callback of the transaction with its attempts. */
export const transactionCallbackOutput = z
  .strictObject({
    ...callbackOutput.pick({ callback_id: true, kind: true, status: true, complaint_ref: true, version: true, state: true }).shape,
    next_at: timeText.nullable(),
    created_at: timeText,
    delivered_at: timeText.nullable(),
    attempts: z.array(callbackAttemptOutput).readonly(),
  })
  .meta({ id: "TransactionCallback" });

/** A transaction with everything that belongs to it. */
export const transactionDetailOutput = z
  .strictObject({
    transaction: transactionOutput.extend({
      circle: z.string().nullable(),
      answered_pending: z.boolean().describe("Whether the client was answered before the order was final."),
      waiting: waitingOutput.nullable(),
    }),
    timeline: z.array(timelineEventOutput.meta({ id: "TimelineEvent" })).readonly(),
    ledger: z.array(postingOutput).readonly(),
    complaints: z.array(complaintOutput).readonly(),
    callbacks: z.array(transactionCallbackOutput).readonly(),
  })
  .meta({ id: "TransactionDetail" });
