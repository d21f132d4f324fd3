import { formatMoney, subtract } from "../../../platform/core/money.ts";
import { lockAccount } from "../../accounts/store.ts";
import { clearComplaintIn } from "../../complaints/clear-complaint.ts";
import type { OrdersContext } from "../../orders/context.ts";
import { topUp } from "../../orders/top-up.ts";
import { approvedDetails } from "../approval.ts";
import type { Executor } from "../context.ts";
import { text } from "./input.ts";
import { manualChangeContext } from "./manual-change-context.ts";

/** Posts a top-up or a debit. */
export function walletExecutor(ctx: OrdersContext): Executor {
  return {
    run: async (tx, approval, at) => {
      const { accountId, amount } = approval;
      if (accountId === null || amount === null) throw new Error(`The approval ${approval.approvalId} names no wallet.`);
      // The account is locked before the wallet, in the order that closing an account uses.
      const account = await lockAccount(tx, accountId);
      if (!account || (account.closed_at && amount > 0n)) return { kind: "failed", reason: "The account is closed." };
      const { reason } = approval.input;
      const request = {
        ...{ accountId, amount, reference: text(approval.input, "reference"), note: text(approval.input, "note") },
        reason: typeof reason === "string" ? reason : undefined,
      };
      const result = await topUp(manualChangeContext(ctx, tx, approval, at), approval.decidedBy, request);
      if (result.kind === "conflict") return { kind: "failed", reason: result.reason };
      const before = subtract(result.balance, amount);
      const balances = { balance_before: formatMoney(before), balance: formatMoney(result.balance) };
      return { kind: "done", result: { ...balances, entry_id: result.entryId } };
    },
  };
}

/** Clears a complaint with a refund. */
export function complaintExecutor(ctx: OrdersContext): Executor {
  return {
    run: async (tx, approval) => {
      const request = {
        complaintRef: text(approval.input, "complaint_ref"),
        decision: "refund",
        reason: text(approval.input, "reason"),
      } as const;
      const cleared = await clearComplaintIn(ctx, tx, approval.decidedBy, { ...request, more: approvedDetails(approval) });
      if (cleared.kind === "not_found") return { kind: "failed", reason: "The complaint does not exist." };
      if (cleared.kind === "conflict") return { kind: "failed", reason: cleared.reason };
      const { status, blockedBy, refundAmount } = cleared.complaint;
      if (status === "OPEN") return { kind: "failed", reason: `The refund is blocked: ${blockedBy ?? "see the complaint"}` };
      return { kind: "done", result: { status, refund_amount: formatMoney(refundAmount) } };
    },
    after: () => ctx.wakeCallbacks(),
  };
}
