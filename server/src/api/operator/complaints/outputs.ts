import { z } from "zod";
import { complaintReply } from "../../../domain/complaints/record.ts";
import { moneyText } from "../../sites/output-fields.ts";

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
  })
  .meta({ id: "QueuedComplaint" });

/** The number of complaints in each view of the queue. */
export const complaintViewsOutput = z
  .strictObject({
    due: z.int(),
    overdue: z.int().describe("Part of those due."),
    open: z.int(),
    refund_blocked: z.int(),
  })
  .meta({ id: "ComplaintViews" });
