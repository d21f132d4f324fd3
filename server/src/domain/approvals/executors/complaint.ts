import { formatMoney } from "../../../platform/core/money.ts";
import { clearComplaintIn } from "../../complaints/clear-complaint.ts";
import type { OrdersContext } from "../../orders/context.ts";
import { approvedDetails } from "../approval.ts";
import type { Executor } from "../context.ts";
import { text } from "./input.ts";

/** Clears a complaint with a refund. */
export function complaintExecutor(ctx: OrdersContext): Executor {
  return {
    run: async (tx, one) => {
      const request = { complaintRef: text(one.input, "complaint_ref"), decision: "refund", reason: text(one.input, "reason") } as const;
      const cleared = await clearComplaintIn(ctx, tx, one.decidedBy, { ...request, more: approvedDetails(one) });
      if (cleared.kind === "not_found") return { kind: "failed", reason: "The complaint does not exist." };
      if (cleared.kind === "conflict") return { kind: "failed", reason: cleared.reason };
      const { status, blockedBy, refundAmount } = cleared.complaint;
      if (status === "OPEN") return { kind: "failed", reason: `The refund is blocked: ${blockedBy ?? "see the complaint"}` };
      return { kind: "done", result: { status, refund_amount: formatMoney(refundAmount) } };
    },
    after: () => ctx.wakeCallbacks(),
  };
}
