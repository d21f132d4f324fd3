import { z } from "zod";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { formatMoney } from "../../platform/core/money.ts";
import { COMPLAINT_STATUSES, type Complaint, REASON_CODES, STAGES } from "./complaint.ts";

const time = z.string().describe("India time, YYYY-MM-DD HH:MM:SS");

export const complaintReply = z.object({
  ok: z.literal(true),
  complaint_ref: z.string(),
  order_id: z.string(),
  urid: z.string().describe("The transaction's own reference: its urid, or its request_id"),
  service: z.string(),
  reason_code: z.enum(REASON_CODES),
  description: z.string(),
  status: z.enum(COMPLAINT_STATUSES),
  stage: z.enum(STAGES),
  refund_amount: z.string().describe("Decimal with four places; 0.0000 while OPEN"),
  reason: z.string().describe("What was decided; empty until then"),
  transaction_status: z.enum(["SUCCESS", "FAILED", "pending"]).describe("As it is now"),
  raised_at: time,
  due_by: time,
  resolved_at: time.nullable(),
});

/** Contract, section 5: the complaint record. */
export function complaintFields(complaint: Complaint): z.output<typeof complaintReply> {
  return {
    ok: true,
    complaint_ref: complaint.complaintRef,
    order_id: complaint.orderId,
    urid: complaint.reference,
    service: complaint.service,
    reason_code: complaint.reasonCode,
    description: complaint.description,
    status: complaint.status,
    stage: complaint.stage,
    refund_amount: formatMoney(complaint.refundAmount),
    reason: complaint.reason,
    transaction_status: complaint.orderState,
    raised_at: indiaDateTime(complaint.raisedAt),
    due_by: indiaDateTime(complaint.dueBy),
    resolved_at: complaint.resolvedAt === null ? null : indiaDateTime(complaint.resolvedAt),
  };
}
