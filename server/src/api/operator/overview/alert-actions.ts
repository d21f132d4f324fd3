import { z } from "zod";
import type { StaffRole } from "../../../domain/auth/user.ts";
import { acknowledgeAlert } from "../../../domain/reporting/alerts/acknowledge-alert.ts";
import { ALERT_STATES } from "../../../domain/reporting/alerts/alert.ts";
import { changeAlertSettings, readAlertSettings } from "../../../domain/reporting/alerts/settings.ts";
import { findAlert, listAlerts } from "../../../domain/reporting/alerts/store.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { ADMINS, EVERYBODY, MONEY, SUPPORT } from "../access.ts";
import { type Action, action } from "../action.ts";
import { id, reason } from "../fields.ts";
import { conflict, noSuch, Refusal } from "../refusal.ts";
import { assigneeFilter, resolveAssignee } from "../work/assignee.ts";
import { alertView } from "./alert-view.ts";
import { ALERT_KIND_NAMES, alertOutput, alertSettingsOutput } from "./outputs.ts";

const ALERT_HANDLERS: readonly StaffRole[] = [...new Set([...SUPPORT, ...MONEY])];
const alertParams = z.object({ alert_id: id });

const threshold = (least: number, most: number) => z.int().min(least).max(most).nullable().optional();
const settingsBody = z.strictObject({
  provider_success_percent: threshold(1, 100),
  provider_success_orders: z.int().min(1).max(100_000).optional(),
  breaker_open: z.boolean().optional(),
  pending_orders: threshold(0, 100_000),
  human_tasks: threshold(1, 100_000),
  callback_minutes: threshold(1, 10_080),
  job_failures: threshold(1, 1_000),
  failed_jobs: threshold(1, 1_000),
  provider_balance: threshold(0, 1_000_000_000),
  provider_float: z.boolean().optional(),
  clock_seconds: threshold(1, 3_600),
  close_seconds: z.int().min(0).max(3_600).optional(),
  reason,
});

const listAllAlerts = action({
  path: "GET /alerts",
  summary: "Lists alerts, newest first.",
  roles: EVERYBODY,
  query: timeListQuery.extend({
    state: z.enum(ALERT_STATES).optional(),
    kind: z.enum(ALERT_KIND_NAMES).optional(),
    assigned_to: assigneeFilter,
  }),
  output: pageOf(alertOutput),
  handler: async ({ deps, caller, query: { limit, after, state, kind, assigned_to } }) => {
    // Alerts watch live traffic.
    if (caller.mode === "test") return { ok: true as const, items: [], next: null };
    const assignedTo = resolveAssignee(caller, assigned_to);
    if (assignedTo instanceof Refusal) return assignedTo;
    const filter = { assignedTo, state: state ?? null, kind: kind ?? null, after: after ?? null, limit: limit + 1 };
    const alerts = await listAlerts(deps.sql, filter);
    return toPage(alerts, limit, alertView, (alert) => writeTimeCursor({ at: alert.openedAt, id: alert.alertId }));
  },
});

const showAlert = action({
  path: "GET /alerts/:alert_id",
  summary: "Shows an alert.",
  roles: EVERYBODY,
  params: alertParams,
  output: alertOutput,
  handler: async ({ deps, params }) => {
    const alert = await findAlert(deps.sql, params.alert_id);
    return alert ? alertView(alert) : noSuch("alert");
  },
});

const acknowledge = action({
  path: "POST /alerts/:alert_id/acknowledge",
  summary: "Records that somebody handles an alert.",
  roles: ALERT_HANDLERS,
  params: alertParams,
  body: z.strictObject({ note: z.string().trim().min(1).max(500) }),
  output: alertOutput,
  handler: async ({ deps, actor, params, body: { note } }) => {
    const result = await acknowledgeAlert(deps, actor, { alertId: params.alert_id, note });
    if (result.kind === "not_found") return noSuch("alert");
    return result.kind === "conflict" ? conflict(result.reason) : alertView(result.alert);
  },
});

const showSettings = action({
  path: "GET /alert-settings",
  summary: "Shows the thresholds of alerts.",
  roles: EVERYBODY,
  output: alertSettingsOutput,
  handler: async ({ deps }) => await readAlertSettings(deps.sql),
});

const changeSettings = action({
  path: "POST /alert-settings",
  summary: "Changes the thresholds of alerts. Absent ones stay unchanged.",
  roles: ADMINS,
  body: settingsBody,
  output: alertSettingsOutput,
  handler: async ({ deps, actor, body: { reason: why, ...change } }) => await changeAlertSettings(deps, actor, change, why),
});

/** Alerts and their thresholds. */
export const alertActions: readonly Action[] = [listAllAlerts, showAlert, acknowledge, showSettings, changeSettings];
