import type { QueuedComplaint } from "../../../domain/complaints/queue.ts";
import { complaintView } from "../views.ts";

/** A complaint in the queue, with the facts needed to decide it. */
export function queuedFields(complaint: QueuedComplaint) {
  return {
    ...complaintView(complaint),
    account_name: complaint.accountName,
    amount: complaint.amount,
    fee: complaint.fee,
    account: complaint.target,
    operator: complaint.operator,
    provider: complaint.provider,
  };
}
