import type { Queryable } from "../../../platform/db/connection.ts";
import { appendAudit } from "../../audit/append.ts";
import type { OverviewContext } from "../context.ts";

/** The thresholds of alerts; null means never. The names are the table's columns. */
export type AlertSettings = {
  /** Of a provider's orders in the last 15 minutes. */
  readonly provider_success_percent: number | null;
  /** With fewer orders the percentage is not evaluated. */
  readonly provider_success_orders: number;
  readonly breaker_open: boolean;
  /** More than this many orders that are pending for over ten minutes. */
  readonly pending_orders: number | null;
  readonly human_tasks: number | null;
  readonly callback_minutes: number | null;
  /** Consecutive failures of a periodic job. */
  readonly job_failures: number | null;
  /** Failed background jobs, such as exports, within an hour. */
  readonly failed_jobs: number | null;
  /** In rupees: our balance at an enabled provider is lower. */
  readonly provider_balance: number | null;
  /** Whether a provider that declines because our balance is too low causes an alert. */
  readonly provider_float: boolean;
  readonly clock_seconds: number | null;
  /** The alert closes after the condition has been clear for this long. */
  readonly close_seconds: number;
};

export async function readAlertSettings(sql: Queryable): Promise<AlertSettings> {
  const [row] = await sql<AlertSettings[]>`
    select provider_success_percent, provider_success_orders, breaker_open, pending_orders, human_tasks, callback_minutes, job_failures,
      failed_jobs, provider_balance, provider_float, clock_seconds, close_seconds
    from alert_settings`;
  if (!row) throw new Error("The alert settings are missing.");
  return row;
}

/** All optional; absent settings stay unchanged. */
export type AlertSettingsChange = { readonly [Name in keyof AlertSettings]?: AlertSettings[Name] | undefined };

export async function changeAlertSettings(
  ctx: Pick<OverviewContext, "sql" | "clock">,
  actor: string,
  change: AlertSettingsChange,
  reason?: string,
): Promise<AlertSettings> {
  return await ctx.sql.begin(async (tx) => {
    await tx`select from alert_settings for update`;
    const before = await readAlertSettings(tx);
    const changed = Object.fromEntries(
      Object.entries(change).filter(([name, value]) => value !== undefined && value !== before[name as keyof AlertSettings]),
    ) as Record<string, number | boolean | null>;
    if (Object.keys(changed).length === 0) return before;
    await tx`update alert_settings set ${tx(changed)}`;
    await appendAudit(tx, new Date(ctx.clock.now()), {
      actor,
      action: "alert_settings.changed",
      subject: { kind: "alert_settings", id: "all" },
      details: { ...changed, ...(reason === undefined ? {} : { reason }) },
    });
    return { ...before, ...changed };
  });
}
