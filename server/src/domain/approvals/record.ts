import { formatMoney } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import type { Approval } from "./approval.ts";

/** Call it last in its transaction, like every audit entry. */
export async function recordApproval(
  tx: Transaction,
  at: number,
  actor: string,
  action: "asked" | "approved" | "rejected" | "withdrawn" | "expired" | "done" | "failed",
  approval: Approval,
  extraDetails: JsonObject = {},
): Promise<void> {
  await appendAudit(tx, new Date(at), {
    actor,
    action: `approval.${action}`,
    subject: { kind: "approval", id: approval.approvalId },
    details: {
      kind: approval.kind,
      made_by: approval.madeBy,
      account_id: approval.accountId,
      order_id: approval.orderId,
      amount: approval.amount === null ? null : formatMoney(approval.amount),
      ...extraDetails,
    },
  });
}
