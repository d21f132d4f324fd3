import type { z } from "zod";
import { ALERT_KINDS, type Alert, alertState } from "../../../domain/reporting/alerts/alert.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { alertOutput } from "./outputs.ts";

export function alertView(alert: Alert): z.output<typeof alertOutput> {
  const { acknowledged } = alert;
  return {
    alert_id: alert.alertId,
    kind: alert.kind,
    subject: alert.subject,
    severity: ALERT_KINDS[alert.kind].severity,
    message: alert.message,
    state: alertState(alert),
    opened_at: time(alert.openedAt),
    seen_at: time(alert.seenAt),
    closed_at: alert.closedAt && time(alert.closedAt),
    acknowledged_at: acknowledged && time(acknowledged.at),
    acknowledged_by: acknowledged?.by ?? null,
    note: acknowledged?.note ?? null,
    assigned_to: alert.assignedTo,
    runbook: ALERT_KINDS[alert.kind].runbook,
  };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
