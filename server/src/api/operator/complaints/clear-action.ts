import { clearComplaint } from "../../../domain/complaints/clear-complaint.ts";
import { SETTLERS } from "../access.ts";
import { action } from "../action.ts";
import { askForComplaintRefund } from "../approvals/ask-for-money.ts";
import { clearBody, complaintParams } from "../fields.ts";
import { conflict, noSuch } from "../refusal.ts";
import { complaintOutput } from "./outputs.ts";
import { complaintView } from "./views.ts";

export const clearComplaintAction = action({
  path: "POST /complaints/:complaint_ref/clear",
  summary: "Decides a complaint: the order stands, or its amount is refunded.",
  roles: SETTLERS,
  proof: "recent",
  params: complaintParams,
  body: clearBody,
  output: complaintOutput,
  approval: {
    kinds: ["complaint_refund"],
    ask: async ({ deps, caller, params, body: { decision, reason } }) =>
      decision === "refund" ? await askForComplaintRefund(deps, caller, { complaintRef: params.complaint_ref, reason }) : null,
  },
  handler: async ({ deps, actor, params, body }) => {
    const result = await clearComplaint(deps.orders, actor, { complaintRef: params.complaint_ref, ...body });
    if (result.kind === "not_found") return noSuch("complaint");
    return result.kind === "conflict" ? conflict(result.reason) : complaintView(result.complaint);
  },
});
