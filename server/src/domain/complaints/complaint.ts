import type { Money } from "../../platform/core/money.ts";
import type { OrderState } from "../orders/order.ts";

export const REASON_CODES = [
  "not_credited",
  "wrong_number",
  "wrong_benefit",
  "wrong_amount",
  "duplicate_payment",
  "service_not_received",
  "beneficiary_not_credited",
  "debited_no_cash",
  "bus_not_provided",
  "refund_not_received",
  "other",
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export const COMPLAINT_STATUSES = ["OPEN", "RESOLVED", "REFUNDED"] as const;
export type ComplaintStatus = (typeof COMPLAINT_STATUSES)[number];

export const STAGES = ["logged", "with_operator", "decided", "refund_blocked"] as const;
export type Stage = (typeof STAGES)[number];

export type Complaint = {
  readonly accountId: string;
  readonly complaintRef: string;
  readonly orderId: string;
  /** The client's reference, the service and the current state of the order. */
  readonly reference: string;
  readonly service: string;
  readonly orderState: OrderState;
  readonly reasonCode: ReasonCode;
  readonly description: string;
  readonly status: ComplaintStatus;
  readonly stage: Stage;
  /** Why the last refund could not be posted. */
  readonly blockedBy: string | null;
  readonly refundAmount: Money;
  /** The decision's explanation; empty until then. */
  readonly reason: string;
  readonly raisedAt: number;
  readonly dueBy: number;
  readonly resolvedAt: number | null;
};

const REF = /^CMP[A-Z0-9]{12}$/;

export function isComplaintRef(text: string): boolean {
  return REF.test(text);
}
