import type { z } from "zod";
import type { Complaint } from "../../../domain/complaints/complaint.ts";
import type { ProviderAnswer } from "../../../domain/complaints/provider-complaints-store.ts";
import type { QueuedComplaint } from "../../../domain/complaints/queue.ts";
import { complaintFields } from "../../../domain/complaints/record.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { complaintDetailOutput, complaintOutput, queuedComplaintOutput } from "./outputs.ts";

/** The complaint as the client sees it, with its account and the reason why its refund is blocked. */
export function complaintView(complaint: Complaint): z.output<typeof complaintOutput> {
  return { ...complaintFields(complaint), account_id: complaint.accountId, blocked_by: complaint.blockedBy };
}

/** A complaint in the queue, with the facts needed to decide it. */
export function queuedComplaintView(complaint: QueuedComplaint): z.output<typeof queuedComplaintOutput> {
  return {
    ...complaintView(complaint),
    account_name: complaint.accountName,
    amount: complaint.amount,
    fee: complaint.fee,
    account: complaint.target,
    operator: complaint.operator,
    provider: complaint.provider,
    assigned_to: complaint.assignedTo,
  };
}

/** The complaint with what its provider says about it. */
export function complaintDetailView(complaint: QueuedComplaint, answer: ProviderAnswer | null): z.output<typeof complaintDetailOutput> {
  return {
    ...queuedComplaintView(complaint),
    at_provider: answer && {
      provider: answer.provider,
      provider_complaint_ref: answer.providerComplaintRef,
      last_answer: answer.lastAnswer,
      next_at: indiaDateTime(answer.nextAt),
    },
  };
}
