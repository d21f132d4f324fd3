import { z } from "zod";
import { complaintReply } from "../../../domain/complaints/record.ts";

/** The complaint as the client sees it, with its account and the reason why its refund is blocked. */
export const complaintOutput = z
  .strictObject({ ...complaintReply.shape, account_id: z.string(), blocked_by: z.string().nullable() })
  .meta({ id: "Complaint" });
