import { appendAudit } from "../../audit/append.ts";
import type { OverviewContext } from "../context.ts";
import type { Alert } from "./alert.ts";
import { findAlert, lockAlert } from "./store.ts";

export type Acknowledged =
  | { readonly kind: "done"; readonly alert: Alert }
  | { readonly kind: "not_found" }
  | { readonly kind: "conflict"; readonly reason: string };

/** Somebody says that they know of it and what they do about it. It stays until it is no longer so. */
export async function acknowledgeAlert(
  ctx: Pick<OverviewContext, "sql" | "clock">,
  actor: string,
  { alertId, note }: { readonly alertId: string; readonly note: string },
): Promise<Acknowledged> {
  return await ctx.sql.begin(async (tx): Promise<Acknowledged> => {
    const alert = await lockAlert(tx, alertId);
    if (!alert) return { kind: "not_found" };
    if (alert.closedAt !== null) return { kind: "conflict", reason: "The alert is over." };
    if (alert.acknowledged !== null) return { kind: "conflict", reason: "Somebody has acknowledged the alert already." };
    const at = new Date(ctx.clock.now());
    await tx`update alerts set acknowledged_at = ${at}, acknowledged_by = ${actor}, note = ${note} where alert_id = ${alertId}`;
    const changed = await findAlert(tx, alertId);
    const details = { kind: alert.kind, about: alert.subject, note };
    await appendAudit(tx, at, { actor, action: "alert.acknowledged", subject: { kind: "alert", id: alertId }, details });
    return changed ? { kind: "done", alert: changed } : { kind: "not_found" };
  });
}
