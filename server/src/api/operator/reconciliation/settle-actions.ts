import type { AskedWithPayload } from "../../../domain/approvals/approval.ts";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import { startJob } from "../../../domain/jobs/start-job.ts";
import { findItem, type SettleableOrder } from "../../../domain/reconciliation/item.ts";
import type { Reconciliation } from "../../../domain/reconciliation/reconciliation.ts";
import { selectItems } from "../../../domain/reconciliation/select-items.ts";
import { NOTHING_TO_SETTLE, settleable, settleItem } from "../../../domain/reconciliation/settle-item.ts";
import { type SettleInput, settleJob } from "../../../domain/reconciliation/settle-items.ts";
import { findReconciliation } from "../../../domain/reconciliation/store.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import { SETTLERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { heldOrRefusal } from "../approvals/held.ts";
import { jobOutput } from "../jobs/outputs.ts";
import { staffJobFields, TOO_MANY_JOBS } from "../jobs/start-staff-job.ts";
import { conflict, noSuch } from "../refusal.ts";
import { itemParams, reconciliationParams, settleAllBody, settleItemBody } from "./fields.ts";
import { inCellOf, readItem } from "./item-actions.ts";
import { reconciliationItemDetailOutput } from "./outputs.ts";

const settleOneItem = action({
  path: "POST /reconciliations/:reconciliation_id/items/:item/settle",
  summary: "Gives the order of an item the state that the provider's file says.",
  roles: SETTLERS,
  proof: "recent",
  params: itemParams,
  body: settleItemBody,
  output: reconciliationItemDetailOutput,
  approval: {
    kinds: ["reconcile"],
    ask: async ({ deps, caller, params: { reconciliation_id: id, item: number }, body: { reason } }) => {
      const [of, item] = [await findReconciliation(deps.sql, id), await findItem(deps.sql, id, number)];
      if (!of || !item) return noSuch("line");
      const { accountId, orderId, hereAmount: amount } = item;
      if (!settleable(item) || amount === null) return conflict(NOTHING_TO_SETTLE);
      const { selectionId, orders } = await selectItems(deps.sql, of, { item: number });
      if (orders.length === 0) return conflict(NOTHING_TO_SETTLE);
      const input = inputOf(of, { selection_id: selectionId, count: 1, reason, item: number, status: null, search: null });
      const asked = { kind: "reconcile", about: aboutOrder(orderId ?? ""), input, amount, accountId, orderId } as const;
      return heldOrRefusal(await askIfNeeded(deps.approvals, caller, asked));
    },
  },
  handler: async ({ deps, actor, params, body: { reason } }) => {
    const result = await settleItem({ ...deps, ordersOf: (accountId) => inCellOf(deps, accountId).orders }, actor, {
      reconciliationId: params.reconciliation_id,
      item: params.item,
      reason,
    });
    if (result.kind === "not_found") return noSuch("line");
    return result.kind === "conflict" ? conflict(result.reason) : await readItem(deps, params);
  },
});

const settleAllItems = action({
  path: "POST /reconciliations/:reconciliation_id/settle-all",
  summary: "Starts a job that gives all orders of a reconciliation the state that the provider's file says.",
  roles: SETTLERS,
  proof: "recent",
  params: reconciliationParams,
  body: settleAllBody,
  output: jobOutput,
  // The job must settle the orders that were counted for the approval, so they are selected once.
  approval: { kinds: ["reconcile"], ask: "handler" },
  handler: async ({ deps, caller, actor, params, body: { reason, status, search } }) => {
    const of = await findReconciliation(deps.sql, params.reconciliation_id);
    if (!of) return noSuch("reconciliation");
    if (of.state !== "done") return conflict("The reconciliation has no finished run.");
    const { selectionId, orders } = await selectItems(deps.sql, of, { status, search });
    if (orders.length === 0) return conflict("This reconciliation has no orders to settle.");
    const asked = { reason, item: null, status: status ?? null, search: search ?? null };
    const input = inputOf(of, { selection_id: selectionId, count: orders.length, ...asked });
    const held = heldOrRefusal(await askIfNeeded(deps.approvals, caller, askedForAll(input, orders)));
    if (held) return held;
    const job = await startJob(deps, settleJob(input, actor));
    return job ? { job: staffJobFields(job, deps.clock.now()) } : TOO_MANY_JOBS;
  },
});

/** One approval for all orders. Each order counts towards its own account's threshold, as if it were settled alone. */
function askedForAll(input: SettleInput, orders: readonly SettleableOrder[]): AskedWithPayload {
  return {
    kind: "reconcile",
    about: `reconciliation ${input.reconciliation_id}`,
    input,
    amount: moneyOf(orders.reduce((sum, order) => sum + order.amount, 0n)),
    accountId: null,
    orderId: null,
    acts: orders.map(({ accountId, orderId, amount }) => ({ accountId, about: aboutOrder(orderId), amount })),
  };
}

function aboutOrder(orderId: string): string {
  return `order ${orderId}`;
}

type Selected = Pick<SettleInput, "selection_id" | "count" | "reason" | "item" | "status" | "search">;

function inputOf(of: Reconciliation, more: Selected): SettleInput {
  const { reconciliationId, jobId } = of;
  return { reconciliation_id: reconciliationId, run: jobId ?? "", ...more, approval_id: null, made_by: null };
}

/** Settles orders as the provider's file says. Above the threshold a second person must approve it. */
export const reconciliationSettleActions: readonly Action[] = [settleOneItem, settleAllItems];
