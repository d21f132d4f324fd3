import type { z } from "zod";
import { attemptFields } from "../../../domain/callbacks/queries/callback-fields.ts";
import type { Catalogue } from "../../../domain/catalog/catalogue.ts";
import type { CallbackWithAttempts } from "../../../domain/complaints/timeline.ts";
import { entryId } from "../../../domain/ledger/store.ts";
import type { Order } from "../../../domain/orders/order.ts";
import type { Posting, Waiting } from "../../../domain/orders/queries/read-history.ts";
import { failureSentence } from "../../../domain/shared/failure.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { waitingOutput } from "../../sites/outputs/order-outputs.ts";
import type { postingOutput, transactionCallbackOutput, transactionOutput } from "./outputs.ts";

export function transactionFields(catalogue: Catalogue, order: Order, reversed: boolean): z.output<typeof transactionOutput> {
  return {
    order_id: order.orderId,
    urid: order.reference,
    service: order.service,
    operator: order.operator,
    operator_name: catalogue.operator(order.operator)?.name ?? order.operator,
    account: order.target,
    amount: formatMoney(order.amount),
    fee: formatMoney(order.fee),
    commission: formatMoney(order.commission),
    credit: order.credit,
    refunded: order.refunded === null ? null : formatMoney(order.refunded),
    status: order.state,
    shown: reversed ? "Reversed" : order.state,
    operator_ref: order.operatorRef,
    reason: failureSentence(order.failure),
    created_at: indiaDateTime(order.createdAt),
    updated_at: indiaDateTime(order.updatedAt),
  };
}

/** When the order is polled next. The reason for the doubt is shown only to staff, because it quotes the provider. */
export function waitingFields(waiting: Waiting): z.output<typeof waitingOutput> {
  return {
    why: "The operator has not given a final answer yet.",
    polls: waiting.polls,
    next_at: time(waiting.due_at),
    needs_human: waiting.needs_human,
  };
}

export function ledgerFields(accountId: string, posting: Posting): z.output<typeof postingOutput> {
  return {
    entry_id: entryId(accountId, posting.seq),
    kind: posting.kind,
    from: posting.from_bucket,
    to: posting.to_bucket,
    amount: formatMoney(posting.amount),
    balance_after: formatMoney(posting.available_after),
    at: time(posting.at),
  };
}

export function callbackFields({ row, attempts }: CallbackWithAttempts): z.output<typeof transactionCallbackOutput> {
  return {
    callback_id: row.callback_id,
    kind: row.kind,
    status: row.status,
    complaint_ref: row.complaint_ref,
    version: row.version,
    state: row.state,
    next_at: row.state === "delivered" ? null : time(row.next_at),
    created_at: time(row.created_at),
    delivered_at: row.delivered_at && time(row.delivered_at),
    attempts: attempts.map(attemptFields),
  };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
