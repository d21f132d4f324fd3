import { indiaDate, indiaMidnight } from "../../platform/core/india-time.ts";
import { add } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../accounts/account-mode.ts";
import { isCountedHere, type MovingAccount } from "../accounts/moving-accounts.ts";
import { countWaiting } from "../approvals/store.ts";
import {
  type Overview as CallbackOverview,
  mergeOverviews as mergeCallbacks,
  readOverview as readCallbackOverview,
} from "../callbacks/queries/read-overview.ts";
import type { Alert } from "./alerts/alert.ts";
import { listActiveAlerts } from "./alerts/store.ts";
import { type Float, readDay, readFloat, type Today, withLive } from "./current-state/read-float.ts";
import { addPolledOrders, type PolledOrders, type RecentOrders, readPolledOrders, readRecentOrders } from "./current-state/read-pending.ts";
import { mergeTraffic, readTraffic, type Traffic } from "./traffic/read-traffic.ts";

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
export function snapshotReader(sql: Sql, mode: AccountMode): (now: number, moving?: readonly MovingAccount[]) => Promise<Snapshot> {
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
  return async (now, moving = []) => {
    const [{ traffic, today }, recentOrders, polledOrders, callbacks, float, complaints, approvalsWaiting, alerts] = await Promise.all([
      readMoney(now),
      readRecentOrders(sql, now, mode),
      readPolledOrders(sql, now, mode),
      readCallbackOverview(sql, now, mode),
      readFloat(sql, mode, moving),
      readComplaintCounts(sql, now, mode, moving),
      countWaiting(sql, mode),
      // Alerts watch live traffic.
      mode === "live" ? listActiveAlerts(sql) : [],
    ]);
    return { at: now, traffic, today, recentOrders, polledOrders, callbacks, float, complaints, approvalsWaiting, alerts };
  };
}

/** The state of several cells together. Alerts are of the whole installation and come from home. */
export function mergeSnapshots(home: Snapshot, others: readonly Snapshot[], isComplete: boolean): Snapshot {
  const traffic = mergeTraffic(
    home.traffic,
    others.map((one) => one.traffic),
  );
  const today = others.reduce(
    (sum, one) => ({ ...withLive(sum, one.today.providers), isComplete: sum.isComplete && one.today.isComplete }),
    home.today,
  );
  const callbacks = mergeCallbacks(
    home.callbacks,
    others.map((one) => one.callbacks),
  );
  const sums = others.reduce<Sums>(
    (sum, one) => ({
      recentOrders: {
        perSecond: sum.recentOrders.perSecond + one.recentOrders.perSecond,
        pending: sum.recentOrders.pending + one.recentOrders.pending,
      },
      polledOrders: addPolledOrders(sum.polledOrders, one.polledOrders),
      float: {
        available: add(sum.float.available, one.float.available),
        held: add(sum.float.held, one.float.held),
        accounts: sum.float.accounts + one.float.accounts,
      },
      complaints: addComplaints(sum.complaints, one.complaints),
      approvalsWaiting: sum.approvalsWaiting + one.approvalsWaiting,
    }),
    home,
  );
  const { recentOrders, polledOrders, float, complaints, approvalsWaiting } = sums;
  return {
    ...{ at: home.at, alerts: home.alerts, callbacks, recentOrders, polledOrders, float, complaints, approvalsWaiting },
    traffic: { ...traffic, isComplete: traffic.isComplete && isComplete },
    today: { ...today, isComplete: today.isComplete && isComplete },
  };
}

type Sums = Pick<Snapshot, "recentOrders" | "polledOrders" | "float" | "complaints" | "approvalsWaiting">;

function addComplaints(one: ComplaintCounts, other: ComplaintCounts): ComplaintCounts {
  return {
    open: one.open + other.open,
    dueToday: one.dueToday + other.dueToday,
    overdue: one.overdue + other.overdue,
    refundBlocked: one.refundBlocked + other.refundBlocked,
  };
}

type ComplaintCounts = {
  readonly open: number;
  /** Due by the end of the day in India, but not overdue. */
  readonly dueToday: number;
  readonly overdue: number;
  readonly refundBlocked: number;
};

async function readComplaintCounts(sql: Sql, now: number, mode: AccountMode, moving: readonly MovingAccount[]): Promise<ComplaintCounts> {
  const [at, tomorrow] = [new Date(now), new Date((indiaMidnight(indiaDate(now)) ?? now) + DAY_MILLISECONDS)];
  const [row] = await sql<ComplaintCounts[]>`
    select count(*)::int as open, count(*) filter (where due_by >= ${at} and due_by < ${tomorrow})::int as "dueToday",
      count(*) filter (where due_by < ${at})::int as overdue, count(*) filter (where stage = 'refund_blocked')::int as "refundBlocked"
    from complaints c
    where status = 'OPEN' and ${ofMode(sql, "c.account_id", mode)} and ${isCountedHere(sql, "c.account_id", moving)}`;
  return row ?? { open: 0, dueToday: 0, overdue: 0, refundBlocked: 0 };
}
