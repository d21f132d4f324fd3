import { formatMoney } from "../../../platform/core/money.ts";
import { type ManualChangeResult, refundManually, reverseManually, settleManually } from "../../orders/change-manually.ts";
import type { OrdersContext } from "../../orders/context.ts";
import { findById } from "../../orders/store.ts";
import {
  cancelConflict,
  type ManualCancellation,
  quoteRest,
  reserveCancellation,
} from "../../services/bus/cancellations/cancel-manually.ts";
import { findCancellationOfApproval } from "../../services/bus/cancellations/cancel-store.ts";
import { attemptCancellation } from "../../services/bus/cancellations/finish-cancellation.ts";
import { type CancellationSettlement, settleCancellationIn } from "../../services/bus/cancellations/settle-cancellation.ts";
import type { CancelContext } from "../../services/bus/context.ts";
import { type Agreed, approvedDetails } from "../approval.ts";
import type { Executor, Outcome, Run } from "../context.ts";
import { text } from "./input.ts";
import { manualChangeContext, outcomeOf } from "./manual-change-context.ts";

/** Settles a pending order manually. */
export function settleExecutor(ctx: OrdersContext): Executor {
  return {
    run: async (tx, approval, at) => {
      const to = text(approval.input, "status") === "SUCCESS" ? "SUCCESS" : "FAILED";
      const operatorRef = text(approval.input, "operator_ref") || null;
      const { attempt } = approval.input;
      // An answer of one provider says nothing about the next one, to which the order may have moved since.
      const ofAttempt = typeof attempt === "number" ? { ofAttempt: attempt } : {};
      const request = { orderId: orderOf(approval), to, operatorRef, reason: text(approval.input, "reason"), ...ofAttempt } as const;
      return outcomeOf(await settleManually(manualChangeContext(ctx, tx, approval, at), approval.decidedBy, request), to);
    },
    after: () => ctx.wakeCallbacks(),
  };
}

type Reversal = typeof reverseManually;

function reversalExecutor(ctx: OrdersContext, reverse: Reversal): Executor {
  return {
    run: async (tx, approval, at) => {
      const request = { orderId: orderOf(approval), reason: text(approval.input, "reason") };
      const result: ManualChangeResult = await reverse(manualChangeContext(ctx, tx, approval, at), approval.decidedBy, request);
      return outcomeOf(result, "FAILED");
    },
    after: () => ctx.wakeCallbacks(),
  };
}

export function reverseExecutor(ctx: OrdersContext): Executor {
  return reversalExecutor(ctx, reverseManually);
}

export function refundExecutor(ctx: OrdersContext): Executor {
  return reversalExecutor(ctx, refundManually);
}

export function orderOf(approval: Agreed): string {
  if (approval.orderId === null) throw new Error(`The approval ${approval.approvalId} names no order.`);
  return approval.orderId;
}

function settlementOf(approval: Agreed): CancellationSettlement {
  const outcome = text(approval.input, "outcome") === "cancelled" ? "cancelled" : "not_cancelled";
  return { orderId: orderOf(approval), cancelId: text(approval.input, "cancel_id"), outcome, reason: text(approval.input, "reason") };
}

/**
 * Cancels the rest of a bus ticket for what the provider quotes now. It must be called in between, so the approval only
 * records the cancellation once. It is then completed like any other, also by the periodic job for abandoned cancellations.
 * With an outcome it ends such a cancellation instead.
 */
export function cancelExecutor(ctx: CancelContext): Executor {
  const resume = async (approvalId: string): Promise<Outcome> => {
    const known = await findCancellationOfApproval(ctx.sql, approvalId);
    // After the first call, the periodic job for cancellations asks the provider again.
    const finished = known?.askedTimes === 0 ? await attemptCancellation(ctx, known) : null;
    const left = await findCancellationOfApproval(ctx.sql, approvalId);
    if (left?.state === "done") return { kind: "done", result: { status: "FAILED", refund_amount: formatMoney(left.refund) } };
    if (left) return { kind: "begun" };
    return { kind: "failed", reason: finished?.kind === "refused" ? finished.message : "The provider refused the cancellation." };
  };
  const reserve =
    (quoted: ManualCancellation["quoted"]): Run =>
    async (tx, approval) => {
      const reserved = await reserveCancellation(ctx, tx, approval.decidedBy, {
        orderId: orderOf(approval),
        reason: text(approval.input, "reason"),
        approved: { approvalId: approval.approvalId, madeBy: approval.madeBy },
        ...(quoted ? { quoted } : {}),
      });
      if (typeof reserved === "string") return { kind: "begun" };
      return { kind: "failed", reason: reserved.kind === "conflict" ? reserved.reason : "The order does not exist." };
    };
  const settle: Run = async (tx, approval) => {
    const request = { ...settlementOf(approval), approved: approvedDetails(approval) };
    const result = await settleCancellationIn(ctx, tx, approval.decidedBy, request);
    if (result.kind === "done") return { kind: "done", result: { outcome: request.outcome } };
    return { kind: "failed", reason: result.kind === "conflict" ? result.reason : "The order does not exist." };
  };
  return {
    run: reserve(undefined),
    prepare: async (approval) => {
      if ("outcome" in approval.input) return settle;
      const order = await findById(ctx.sql, orderOf(approval));
      // Then the reservation says why it is not possible.
      if (!order || cancelConflict(order)) return reserve(undefined);
      const quoted = await quoteRest(ctx, order);
      if (quoted?.kind !== "refused") return reserve(quoted ?? undefined);
      const { error, message } = quoted;
      if (error === "busy") throw new Error(`The provider of ${order.orderId} could not be asked for its charges: ${message}`);
      return async () => ({ kind: "failed", reason: message });
    },
    resume: (approval) => resume(approval.approvalId),
    after: () => ctx.wakeCallbacks(),
  };
}
