import type { Transaction } from "../../../platform/db/connection.ts";
import type { Unserved } from "../../providers/routing/unserved.ts";
import { claimTurn } from "../claim-turn.ts";
import type { OverviewContext } from "../context.ts";
import { ALERT_KINDS } from "./alert.ts";
import { gatherFacts } from "./gather-facts.ts";
import { type Condition, conditionsOf } from "./rules.ts";
import { type AlertSettings, readAlertSettings } from "./settings.ts";

export const WATCH_MILLISECONDS = 5_000;
// While nothing happens, and no job fails, an alert can open only because time passes.
export const QUIET_WATCH_MILLISECONDS = 60_000;
const KEPT_MILLISECONDS = 400 * 24 * 3_600_000;

export type AlertContext = OverviewContext & {
  /** Operators and services without a provider, as this process has them in memory. */
  readonly unserved: () => Unserved;
};

type Named = { readonly alert_id: string; readonly kind: string; readonly subject: string; readonly message: string };

/** Evaluates all rules once. One process does it at a time. */
export async function evaluateAlerts(ctx: AlertContext): Promise<void> {
  const now = ctx.clock.now();
  if (!(await claimTurn(ctx.sql, "watch alerts", now, WATCH_MILLISECONDS * 0.8))) return;
  const [settings, facts] = await Promise.all([
    readAlertSettings(ctx.sql),
    gatherFacts(ctx.sql, now, ctx.unserved(), ctx.otherCells?.().databases),
  ]);
  await applyConditions(ctx, conditionsOf(facts, settings), settings, now);
}

/** Opens alerts for new conditions, keeps current ones, and closes those whose condition has been clear for long enough. */
export async function applyConditions(
  ctx: OverviewContext,
  conditions: readonly Condition[],
  { close_seconds }: Pick<AlertSettings, "close_seconds">,
  now: number,
): Promise<void> {
  const at = new Date(now);
  const { opened, closed } = await ctx.sql.begin(async (tx) => {
    await markSeen(tx, conditions, at);
    const made = await open(tx, conditions, at, () => ctx.ids.entry(now));
    const ended = await tx<Named[]>`
      update alerts set closed_at = ${at}
      -- One that was seen in the future was seen by a clock that has been set since.
      where closed_at is null and seen_at <> ${at} and (seen_at > ${at} or seen_at <= ${new Date(now - close_seconds * 1000)})
      returning alert_id, kind, subject, message`;
    await tx`delete from alerts where closed_at < ${new Date(now - KEPT_MILLISECONDS)}`;
    return { opened: made, closed: ended };
  });
  for (const { alert_id, kind, subject, message } of opened) {
    const { severity, runbook } = ALERT_KINDS[kind as keyof typeof ALERT_KINDS];
    ctx.log.warn({ alert: kind, alertId: alert_id, subject, severity, runbook, says: message }, "alert opened");
  }
  for (const { alert_id, kind, subject, message } of closed)
    ctx.log.info({ alert: kind, alertId: alert_id, subject, says: message }, "alert closed");
}

async function markSeen(tx: Transaction, conditions: readonly Condition[], at: Date): Promise<void> {
  await tx`
    update alerts a set seen_at = ${at}, message = c.message
    from unnest(${conditions.map((one) => one.kind)}::text[], ${conditions.map((one) => one.subject)}::text[],
      ${conditions.map((one) => one.message)}::text[]) as c (kind, subject, message)
    where a.closed_at is null and a.kind = c.kind and a.subject = c.subject`;
}

async function open(tx: Transaction, conditions: readonly Condition[], at: Date, newId: () => string): Promise<readonly Named[]> {
  return await tx<Named[]>`
    insert into alerts (alert_id, kind, subject, message, opened_at, seen_at)
    select c.alert_id, c.kind, c.subject, c.message, ${at}, ${at}
    from unnest(${conditions.map(newId)}::text[], ${conditions.map((one) => one.kind)}::text[],
      ${conditions.map((one) => one.subject)}::text[], ${conditions.map((one) => one.message)}::text[]) as c (alert_id, kind, subject, message)
    on conflict (kind, subject) where closed_at is null do nothing
    returning alert_id, kind, subject, message`;
}
