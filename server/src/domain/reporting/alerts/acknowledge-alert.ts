import { appendAudit } from "../../audit/append.ts";
import type { OverviewContext } from "../context.ts";
import type { Alert } from "./alert.ts";
import { findAlert, lockAlert } from "./store.ts";

export type Acknowledged =
  | { readonly kind: "done"; readonly alert: Alert }
  | { readonly kind: "not_found" }
  | { readonly kind: "conflict"; readonly reason: string };

/** Acknowledges an alert with a note. It stays until its condition has cleared. */
export async function acknowledgeAlert(
  ctx: Pick<OverviewContext, "sql" | "clock">,
  actor: string,
  { alertId, note }: { readonly alertId: string; readonly note: string },
): Promise<Acknowledged> {
  return await ctx.sql.begin(async (tx): Promise<Acknowledged> => {
    const alert = await lockAlert(tx, alertId);
    if (!alert) return { kind: "not_found" };
    if (alert.closedAt !== null) return { kind: "conflict", reason: "The alert is closed." };
    if (alert.acknowledged !== null) return { kind: "conflict", reason: "The alert is already acknowledged." };
    const at = new Date(ctx.clock.now());
    await tx`update alerts set acknowledged_at = ${at}, acknowledged_by = ${actor}, note = ${note} where alert_id = ${alertId}`;
    const changed = await findAlert(tx, alertId);
    const details = { kind: alert.kind, about: alert.subject, note };
    await appendAudit(tx, at, { actor, action: "alert.acknowledged", subject: { kind: "alert", id: alertId }, details });
    return changed ? { kind: "done", alert: changed } : { kind: "not_found" };
  });
}
