import { z } from "zod";
import { ALERT_KINDS, ALERT_STATES, type AlertKind } from "../../../domain/reporting/alerts/alert.ts";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { assignee } from "../work/outputs.ts";

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as [AlertKind, ...AlertKind[]];

export const alertOutput = z
  .strictObject({
    alert_id: z.string(),
    kind: z.enum(ALERT_KIND_NAMES),
    subject: z.string().describe("What it is about, for kinds with several subjects; otherwise empty."),
    severity: z.enum(["page", "warn"]).describe("page needs action at any hour; warn needs action today."),
    message: z.string(),
    state: z.enum(ALERT_STATES),
    opened_at: timeText,
    seen_at: timeText.describe("When its condition was last found."),
    closed_at: timeText.nullable(),
    acknowledged_at: timeText.nullable(),
    acknowledged_by: z.string().nullable(),
    note: z.string().nullable(),
    assigned_to: assignee,
    runbook: z.string(),
  })
  .meta({ id: "Alert" });

const threshold = z.int().nullable();

/** The thresholds of alerts; null means never. */
export const alertSettingsOutput = z
  .strictObject({
    provider_success_percent: threshold.describe("Of a provider's orders in the last 15 minutes."),
    provider_success_orders: z.int().describe("With fewer orders the percentage is not evaluated."),
    breaker_open: z.boolean(),
    pending_orders: threshold.describe("Orders that are pending for over ten minutes."),
    human_tasks: threshold,
    callback_minutes: threshold,
    job_failures: threshold.describe("Consecutive failures of a periodic job."),
    failed_jobs: threshold.describe("Failed background jobs within an hour."),
    provider_balance: threshold.describe("In rupees: the balance at an enabled provider is lower."),
    provider_float: z.boolean().describe("A provider declined an order because the balance there was too low."),
    clock_seconds: threshold,
    close_seconds: z.int().describe("An alert closes after its condition has been clear for this long."),
  })
  .meta({ id: "AlertSettings" });

const results = z.strictObject({
  success: z.int(),
  failed: z.int(),
  pending: z.int(),
  success_rate: z.number().nullable().describe("From 0 to 1; null if no order was decided."),
  median_ms: z.number().nullable(),
});
const providerResults = results.extend({ passed_on: z.int().describe("Attempts after which another provider was tried.") });

const minute = z.strictObject({ at: timeText, success: z.int(), failed: z.int(), pending: z.int() });

const pending = z.strictObject({
  under_1m: z.int(),
  under_10m: z.int(),
  under_1h: z.int(),
  over_1h: z.int(),
  in_doubt: z.int().describe("Orders without any answer from the provider."),
  human_tasks: z.int().describe("Orders that staff must settle."),
});

const callbacks = z.strictObject({
  waiting: z.int(),
  oldest_due_seconds: z.int().nullable(),
  oldest_due_account_id: z.string().nullable(),
  targets: z.strictObject({ waiting: z.int(), broken: z.int(), parked: z.int(), paused: z.int() }),
});

const float = z.strictObject({
  available: moneyText,
  held: moneyText,
  accounts: z.int(),
  complete: z.boolean().describe("False while some of the day's minutes have not been counted yet."),
  providers_today: z
    .array(z.strictObject({ provider: z.string(), orders: z.int(), owed: moneyText }))
    .readonly()
    .describe("What each provider has carried out today in India, and the amount owed for it."),
});

/** The state of the system at one moment over all processes. */
export const overviewOutput = z
  .strictObject({
    at: timeText,
    ts: z.int().describe("The same time in Unix seconds."),
    complete: z.boolean().describe("False while some of the hour's minutes have not been counted yet."),
    orders_per_second: z.number(),
    minutes: z.array(minute).readonly().describe("The last hour, oldest first."),
    providers: z.array(z.strictObject({ provider: z.string(), last_15m: providerResults, last_1h: providerResults })).readonly(),
    operators: z.array(z.strictObject({ operator: z.string(), name: z.string(), last_15m: results, last_1h: results })).readonly(),
    pending,
    callbacks,
    float,
    complaints: z.strictObject({ open: z.int(), due_today: z.int(), overdue: z.int(), refund_blocked: z.int() }),
    approvals: z.strictObject({ waiting: z.int() }),
    alerts: z.array(alertOutput).readonly().describe("Alerts that are not closed."),
  })
  .meta({ id: "Overview" });
