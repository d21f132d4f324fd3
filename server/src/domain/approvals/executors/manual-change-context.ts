import type { Transaction } from "../../../platform/db/connection.ts";
import type { ManualChangeContext, ManualChangeResult } from "../../orders/change-manually.ts";
import type { OrdersContext } from "../../orders/context.ts";
import { writeLocked } from "../../orders/write/locked-write.ts";
import type { Operation } from "../../orders/write/operations.ts";
import { type Agreed, approvedDetails } from "../approval.ts";
import type { Outcome } from "../context.ts";

/**
 * The context of a manual change in the transaction that ends its approval. Audit entries name both people; the executor's
 * `after` wakes the callback delivery.
 */
export function manualChangeContext(ctx: OrdersContext, tx: Transaction, approval: Agreed, at: number): ManualChangeContext {
  const write = async (operation: Operation) => {
    const [written] = await writeLocked(tx, [signed(operation, approval)], at, ctx.processId);
    if (!written) throw new Error(`The approval ${approval.approvalId} was not answered.`);
    return written;
  };
  return { sql: tx, clock: ctx.clock, ids: ctx.ids, writer: { write }, wakeCallbacks: () => {} };
}

function signed(operation: Operation, approval: Agreed): Operation {
  if (!("audit" in operation) || !operation.audit) return operation;
  const { audit } = operation;
  return { ...operation, audit: { ...audit, details: { ...audit.details, ...approvedDetails(approval) } } };
}

export function outcomeOf(result: ManualChangeResult, status: string): Outcome {
  if (result.kind === "done") return { kind: "done", result: { status } };
  return { kind: "failed", reason: result.kind === "conflict" ? result.reason : "The order does not exist." };
}
