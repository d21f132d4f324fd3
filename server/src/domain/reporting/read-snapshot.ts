import { indiaDate, indiaMidnight } from "../../platform/core/india-time.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../accounts/account-mode.ts";
import { countWaiting } from "../approvals/store.ts";
import { type Overview as CallbackOverview, readOverview as readCallbackOverview } from "../callbacks/queries/read-overview.ts";
import type { Alert } from "./alerts/alert.ts";
import { listActiveAlerts } from "./alerts/store.ts";
import { type Float, readDay, readFloat, type Today, withLive } from "./current-state/read-float.ts";
import { type PolledOrders, type RecentOrders, readPolledOrders, readRecentOrders } from "./current-state/read-pending.ts";
import { readTraffic, type Traffic } from "./traffic/read-traffic.ts";

/** The state of the system at one moment over all processes, read from the database. */
export type Snapshot = {
  readonly at: number;
  readonly traffic: Traffic;
  readonly recentOrders: RecentOrders;
  readonly polledOrders: PolledOrders;
  readonly callbacks: CallbackOverview;
  readonly float: Float;
  readonly today: Today;
  readonly complaints: ComplaintCounts;
  /** Actions that wait for approval. */
  readonly approvalsWaiting: number;
  readonly alerts: readonly Alert[];
};

// The day's sum reads the most rows and changes only when minutes are counted again, so it is read less often.
const DAY_SUM_MILLISECONDS = 30_000;
const DAY_MILLISECONDS = 24 * 3_600_000;

/** Creates a reader of consecutive snapshots of the live or of the sandbox accounts. */
export function snapshotReader(sql: Sql, mode: AccountMode): (now: number) => Promise<Snapshot> {
  let kept: { readonly at: number; readonly until: number; readonly day: Today } | null = null;
  const dayUntil = async (now: number, until: number): Promise<Today> => {
    if (kept?.until === until && kept.day.isComplete && Math.abs(now - kept.at) < DAY_SUM_MILLISECONDS) return kept.day;
    kept = { at: now, until, day: await readDay(sql, now, until, mode) };
    return kept.day;
  };
  const readMoney = async (now: number) => {
    const traffic = await readTraffic(sql, now, { mode });
    return { traffic, today: withLive(await dayUntil(now, traffic.liveFrom), traffic.live) };
  };
  return async (now) => {
    const [{ traffic, today }, recentOrders, polledOrders, callbacks, float, complaints, approvalsWaiting, alerts] = await Promise.all([
      readMoney(now),
      readRecentOrders(sql, now, mode),
      readPolledOrders(sql, now, mode),
      readCallbackOverview(sql, now, mode),
      readFloat(sql, mode),
      readComplaintCounts(sql, now, mode),
      countWaiting(sql, mode),
      // Alerts watch live traffic.
      mode === "live" ? listActiveAlerts(sql) : [],
    ]);
    return { at: now, traffic, today, recentOrders, polledOrders, callbacks, float, complaints, approvalsWaiting, alerts };
  };
}

type ComplaintCounts = {
  readonly open: number;
  /** Due by the end of the day in India, but not overdue. */
  readonly dueToday: number;
  readonly overdue: number;
  readonly refundBlocked: number;
};

async function readComplaintCounts(sql: Sql, now: number, mode: AccountMode): Promise<ComplaintCounts> {
  const [at, tomorrow] = [new Date(now), new Date((indiaMidnight(indiaDate(now)) ?? now) + DAY_MILLISECONDS)];
  const [row] = await sql<ComplaintCounts[]>`
    select count(*)::int as open, count(*) filter (where due_by >= ${at} and due_by < ${tomorrow})::int as "dueToday",
      count(*) filter (where due_by < ${at})::int as overdue, count(*) filter (where stage = 'refund_blocked')::int as "refundBlocked"
    from complaints c where status = 'OPEN' and ${ofMode(sql, "c.account_id", mode)}`;
  return row ?? { open: 0, dueToday: 0, overdue: 0, refundBlocked: 0 };
}
