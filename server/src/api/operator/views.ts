import type { Operator, Service } from "../../domain/catalog/catalogue.ts";
import type { Complaint } from "../../domain/complaints/complaint.ts";
import { complaintFields } from "../../domain/complaints/record.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { History } from "../../domain/orders/queries/read-history.ts";
import { failureSentence, staffWords } from "../../domain/shared/failure.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { formatMoney, type Money } from "../../platform/core/money.ts";

// JSON representations of the operator API.

export function serviceView(service: Service) {
  return {
    service: service.service,
    name: service.name,
    signing: service.signing,
    enabled: service.enabled,
    opens_at: service.opensAt,
    closes_at: service.closesAt,
  };
}

export function operatorView(operator: Operator) {
  return {
    operator: operator.operator,
    name: operator.name,
    kind: operator.kind,
    account_label: operator.accountLabel,
    account_pattern: operator.accountPattern.source,
    account_example: operator.accountExample,
    min_amount: formatMoney(operator.minAmount),
    max_amount: formatMoney(operator.maxAmount),
    denominations: operator.denominations.map(formatMoney),
    enabled: operator.enabled,
  };
}

export function orderView(order: Order, history: History) {
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
      amount: formatMoney(posting.amount as Money),
      balance_after: formatMoney(posting.available_after as Money),
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

/** The complaint as the client sees it, with its account and the reason why its refund is blocked. */
export function complaintView(complaint: Complaint) {
  return { ...complaintFields(complaint), account_id: complaint.accountId, blocked_by: complaint.blockedBy };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
