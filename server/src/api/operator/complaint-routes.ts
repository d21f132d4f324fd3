import { clearComplaint } from "../../domain/complaints/clear-complaint.ts";
import { may, SETTLERS } from "./access.ts";
import { answerWithApproval, requireRefundApproval } from "./approvals/require-approval.ts";
import { actor } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound, refuse } from "./errors.ts";
import { clearBody, complaintParams } from "./fields.ts";
import { complaintView } from "./views.ts";
import type { ZodApp } from "./zod-app.ts";

export function complaintRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post(
    "/complaints/:complaint_ref/clear",
    { config: may(SETTLERS, "fresh"), schema: { params: complaintParams, body: clearBody } },
    async (request, reply) => {
      const { complaint_ref: complaintRef } = request.params;
      const { decision, reason } = request.body;
      const held = decision === "refund" ? await requireRefundApproval({ deps, request }, { complaintRef, reason }) : null;
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const result = await clearComplaint(deps.orders, actor(request), { complaintRef, ...request.body });
      if (result.kind === "not_found") return notFound(reply, "complaint");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      return reply.send(complaintView(result.complaint));
    },
  );
}
