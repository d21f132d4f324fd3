import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import { findItem } from "./item.ts";
import type { Outcome, Reconciliation, ReconciliationContext } from "./reconciliation.ts";
import { lockReconciliation } from "./store.ts";

export type Changed =
  | { readonly kind: "done"; readonly count: number }
  | { readonly kind: "not_found" }
  | { readonly kind: "conflict"; readonly reason: string };

export type Which = { readonly item: number } | { readonly outcome: Outcome };

/** Resolves differences with a note. Resolved ones stay unchanged. */
export async function resolveItems(
  ctx: ReconciliationContext,
  actor: string,
  request: { readonly reconciliationId: string; readonly which: Which; readonly note: string },
): Promise<Changed> {
  const { reconciliationId: id, which, note } = request;
  return await change(ctx, id, async (tx, at) => {
    if ("item" in which) {
      const item = await findItem(tx, id, which.item);
      if (!item) return { kind: "not_found" };
      if (item.outcome === "matched") return { kind: "conflict", reason: "The item matches, so there is nothing to resolve." };
      if (item.resolvedAt) return { kind: "conflict", reason: "The item is already resolved." };
    }
    const { count } = await tx`
      update reconciliation_items set resolved_at = ${at}, resolved_by = ${actor}, note = ${note}, version = version + 1
      where reconciliation_id = ${id} and outcome <> 'matched' and resolved_at is null
        and ${"item" in which ? tx`item = ${which.item}` : tx`outcome = ${which.outcome}`}`;
    await moveOpen(tx, id, -count);
    if (count > 0) await record(tx, at, actor, "reconciliation.resolved", id, { ...which, count, note });
    return { kind: "done", count };
  });
}

/** Reopens a difference. An order that was settled from it stays settled. */
export async function reopenItem(
  ctx: ReconciliationContext,
  actor: string,
  request: { readonly reconciliationId: string; readonly item: number; readonly reason: string | undefined },
): Promise<Changed> {
  const { reconciliationId: id, reason } = request;
  return await change(ctx, id, async (tx, at) => {
    const item = await findItem(tx, id, request.item);
    if (!item) return { kind: "not_found" };
    if (!item.resolvedAt) return { kind: "conflict", reason: "It is open." };
    if (item.settledAt) return { kind: "conflict", reason: "An order was settled from this item." };
    await tx`
      update reconciliation_items set resolved_at = null, resolved_by = null, note = null, version = version + 1
      where reconciliation_id = ${id} and item = ${item.item}`;
    await moveOpen(tx, id, 1);
    const details = { item: item.item, note: item.note, ...(reason === undefined ? {} : { reason }) };
    await record(tx, at, actor, "reconciliation.reopened", id, details);
    return { kind: "done", count: 1 };
  });
}

/** Serialises changes of a reconciliation, and allows them only after a finished run. */
export async function change(
  ctx: ReconciliationContext,
  reconciliationId: string,
  work: (tx: Transaction, at: Date, reconciliation: Reconciliation) => Promise<Changed>,
): Promise<Changed> {
  return await ctx.sql.begin(async (tx): Promise<Changed> => {
    const reconciliation = await lockReconciliation(tx, reconciliationId);
    if (!reconciliation) return { kind: "not_found" };
    if (reconciliation.state !== "done") return { kind: "conflict", reason: "The reconciliation has no finished run." };
    return await work(tx, new Date(ctx.clock.now()), reconciliation);
  });
}

export async function moveOpen(tx: Transaction, reconciliationId: string, change: number): Promise<void> {
  await tx`update reconciliations set open = open + ${change} where reconciliation_id = ${reconciliationId}`;
}

export async function record(tx: Transaction, at: Date, actor: string, action: string, id: string, details: JsonObject): Promise<void> {
  await appendAudit(tx, at, { actor, action, subject: { kind: "reconciliation", id }, details });
}
