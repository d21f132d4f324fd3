import { z } from "zod";
import type { StaffRole } from "../../../domain/auth/user.ts";
import { acknowledgeAlert } from "../../../domain/reporting/alerts/acknowledge-alert.ts";
import { ALERT_KINDS, ALERT_STATES, type AlertKind } from "../../../domain/reporting/alerts/alert.ts";
import { changeAlertSettings, readAlertSettings } from "../../../domain/reporting/alerts/settings.ts";
import { findAlert, listAlerts } from "../../../domain/reporting/alerts/store.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { ADMINS, EVERYBODY, MONEY, may, SUPPORT } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse } from "../errors.ts";
import { id, reason } from "../fields.ts";
import type { ZodApp } from "../zod-app.ts";
import { alertView } from "./alert-view.ts";

const ALERT_HANDLERS: readonly StaffRole[] = [...new Set([...SUPPORT, ...MONEY])];
const KINDS = Object.keys(ALERT_KINDS) as [AlertKind, ...AlertKind[]];
const alertParams = z.object({ alert_id: id });
const alertsQuery = timeListQuery.extend({ state: z.enum(ALERT_STATES).optional(), kind: z.enum(KINDS).optional() });
const acknowledgeBody = z.strictObject({ note: z.string().trim().min(1).max(500) });

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
  clock_seconds: threshold(1, 3_600),
  close_seconds: z.int().min(0).max(3_600).optional(),
  reason,
});

export function alertRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/alerts", { config: may(EVERYBODY), schema: { querystring: alertsQuery } }, async (request) => {
    const { limit, after, state, kind } = request.query;
    const filter = { state: state ?? null, kind: kind ?? null, after: after ?? null, limit: limit + 1 };
    const alerts = await listAlerts(deps.sql, filter);
    return toPage(alerts, limit, alertView, (alert) => writeTimeCursor({ at: alert.openedAt, id: alert.alertId }));
  });

  app.get("/alerts/:alert_id", { config: may(EVERYBODY), schema: { params: alertParams } }, async (request, reply) => {
    const alert = await findAlert(deps.sql, request.params.alert_id);
    return alert ? reply.send(alertView(alert)) : notFound(reply, "alert");
  });

  app.post(
    "/alerts/:alert_id/acknowledge",
    { config: may(ALERT_HANDLERS), schema: { params: alertParams, body: acknowledgeBody } },
    async (request, reply) => {
      const alertId = request.params.alert_id;
      const result = await acknowledgeAlert(deps, actor(request), { alertId, note: request.body.note });
      if (result.kind === "not_found") return notFound(reply, "alert");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      return reply.send(alertView(result.alert));
    },
  );

  app.get("/alert-settings", { config: may(EVERYBODY) }, async () => await readAlertSettings(deps.sql));

  app.post("/alert-settings", { config: may(ADMINS), schema: { body: settingsBody } }, async (request) => {
    const { reason: why, ...change } = request.body;
    return await changeAlertSettings(deps, actor(request), change, why);
  });
}
