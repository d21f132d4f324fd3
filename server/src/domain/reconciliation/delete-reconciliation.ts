import type { ManualChangeResult } from "../orders/change-manually.ts";
import type { ReconciliationContext } from "./reconciliation.ts";
import { record } from "./resolve-items.ts";
import { lockReconciliation, removeReconciliation } from "./store.ts";

/** Deletes a wrong upload. A file from which orders were settled is evidence and stays. */
export async function deleteReconciliation(
  ctx: ReconciliationContext,
  actor: string,
  request: { readonly reconciliationId: string; readonly reason: string | undefined },
): Promise<ManualChangeResult> {
  const { reconciliationId: id, reason } = request;
  return await ctx.sql.begin(async (tx): Promise<ManualChangeResult> => {
    const reconciliation = await lockReconciliation(tx, id);
    if (!reconciliation) return { kind: "not_found" };
    if (reconciliation.state === "running") return { kind: "conflict", reason: "A run is in progress. Cancel its job first." };
    const [settled] = await tx`
      select 1 from reconciliation_items where reconciliation_id = ${id} and settled_at is not null limit 1`;
    if (settled) return { kind: "conflict", reason: "Orders were settled from this file, so it stays as their evidence." };
    await removeReconciliation(tx, id);
    const details = {
      provider: reconciliation.provider,
      day: reconciliation.day,
      name: reconciliation.name,
      ...(reason === undefined ? {} : { reason }),
    };
    await record(tx, new Date(ctx.clock.now()), actor, "reconciliation.deleted", id, details);
    return { kind: "done" };
  });
}
