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
  one: Approval,
  more: JsonObject = {},
): Promise<void> {
  await appendAudit(tx, new Date(at), {
    actor,
    action: `approval.${action}`,
    subject: { kind: "approval", id: one.approvalId },
    details: {
      kind: one.kind,
      made_by: one.madeBy,
      account_id: one.accountId,
      order_id: one.orderId,
      amount: one.amount === null ? null : formatMoney(one.amount),
      ...more,
    },
  });
}
