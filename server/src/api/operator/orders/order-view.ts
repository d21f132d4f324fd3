import type { z } from "zod";
import type { Order } from "../../../domain/orders/order.ts";
import type { History } from "../../../domain/orders/queries/read-history.ts";
import { failureSentence, staffWords } from "../../../domain/shared/failure.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { orderHistoryOutput } from "./outputs.ts";

/** An order with its postings and attempts. */
export function orderView(order: Order, history: History): z.output<typeof orderHistoryOutput> {
  return {
    order: {
      order_id: order.orderId,
      account_id: order.accountId,
      service: order.service,
      urid: order.reference,
      status: order.state,
      amount: order.amountText,
      fee: formatMoney(order.fee),
      commission: formatMoney(order.commission),
      account: order.target,
      operator: order.operator,
      circle: order.circle,
      provider: order.provider,
      operator_ref: order.operatorRef,
      reason: order.failure && staffWords(order.failure),
      message: failureSentence(order.failure),
      answered_pending: order.answeredPending,
      waiting: history.waiting && {
        why: history.waiting.why,
        polls: history.waiting.polls,
        next_at: time(history.waiting.due_at),
        needs_human: history.waiting.needs_human,
      },
      created_at: indiaDateTime(order.createdAt),
      updated_at: indiaDateTime(order.updatedAt),
    },
    postings: history.postings.map((posting) => ({
      seq: Number(posting.seq),
      kind: posting.kind,
      from: posting.from_bucket,
      to: posting.to_bucket,
      amount: formatMoney(posting.amount),
      balance_after: formatMoney(posting.available_after),
      at: time(posting.at),
    })),
    attempts: history.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      provider: attempt.provider,
      outcome: attempt.outcome,
      detail: attempt.detail,
      started_at: time(attempt.started_at),
      ended_at: attempt.ended_at && time(attempt.ended_at),
    })),
  };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
