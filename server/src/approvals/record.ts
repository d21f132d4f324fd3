import { appendAudit } from "../audit/append.ts";
import type { Transaction } from "../db/connection.ts";
import { formatMoney } from "../kernel/money.ts";
import type { JsonObject } from "../kernel/strict-json.ts";
import type { Approval } from "./approval.ts";

/** Call it last in its transaction, as every entry of the trail. */
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
