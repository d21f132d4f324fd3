import { z } from "zod";
import { complaintReply } from "../../../domain/complaints/record.ts";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { assignee } from "../work/outputs.ts";

/** The complaint as the client sees it, with its account and the reason why its refund is blocked. */
export const complaintOutput = z
  .strictObject({ ...complaintReply.shape, account_id: z.string(), blocked_by: z.string().nullable() })
  .meta({ id: "Complaint" });

/** A complaint in the queue, with the facts needed to decide it. */
export const queuedComplaintOutput = complaintOutput
  .extend({
    account_name: z.string(),
    amount: moneyText,
    fee: moneyText,
    account: z.string().describe("What the order is for, such as the recharged number."),
    operator: z.string(),
    provider: z.string(),
    assigned_to: assignee,
  })
  .meta({ id: "QueuedComplaint" });

const atProvider = z.strictObject({
  provider: z.string(),
  provider_complaint_ref: z.string().nullable().describe("The provider's own reference; null until it has taken the complaint."),
  last_answer: z.string().describe("What the provider said last, or why it gave no answer; empty if it has said nothing."),
  next_at: timeText.describe("When the provider is asked next."),
});

/** A complaint with what its provider says about it. */
export const complaintDetailOutput = queuedComplaintOutput
  .extend({
    at_provider: atProvider.nullable().describe("Null if the complaint is not passed on to the order's provider, or was decided."),
  })
  .meta({ id: "ComplaintDetail" });

/** The number of complaints in each view of the queue. */
export const complaintViewsOutput = z
  .strictObject({
    due: z.int(),
    overdue: z.int().describe("Part of those due."),
    open: z.int(),
    refund_blocked: z.int(),
  })
  .meta({ id: "ComplaintViews" });
