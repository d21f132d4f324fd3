import type { Sql } from "../../platform/db/connection.ts";
import { countWaiting } from "../approvals/store.ts";
import { type Overview as CallbackOverview, readOverview as readCallbackOverview } from "../callbacks/queries/read-overview.ts";
import type { Alert } from "./alerts/alert.ts";
import { listActiveAlerts } from "./alerts/store.ts";
import { type ComplaintCounts, readComplaintCounts } from "./current-state/read-complaints.ts";
import { type Float, readDay, readFloat, type Today, withLive } from "./current-state/read-float.ts";
import { type PolledOrders, type RecentOrders, readPolledOrders, readRecentOrders } from "./current-state/read-pending.ts";
import { readTraffic, type Traffic } from "./traffic/read-traffic.ts";

/** The state of the system at one moment over all processes, read from the database. */
export type Snapshot = {
  readonly at: number;
  readonly traffic: Traffic;
  readonly young: RecentOrders;
  readonly watched: PolledOrders;
  readonly callbacks: CallbackOverview;
  readonly float: Float;
  readonly today: Today;
  readonly complaints: ComplaintCounts;
  /** Actions that wait for approval. */
  readonly approvalsWaiting: number;
  readonly alerts: readonly Alert[];
};

// A day's sum reads the most rows, and changes only when minutes are counted again.
const DAY_MILLISECONDS = 30_000;

/** Creates a reader of consecutive snapshots. */
export function snapshotReader(sql: Sql): (now: number) => Promise<Snapshot> {
  let kept: { readonly at: number; readonly until: number; readonly day: Today } | null = null;
  const dayUntil = async (now: number, until: number): Promise<Today> => {
    if (kept?.until === until && kept.day.isComplete && Math.abs(now - kept.at) < DAY_MILLISECONDS) return kept.day;
    kept = { at: now, until, day: await readDay(sql, now, until) };
    return kept.day;
  };
  const readMoney = async (now: number) => {
    const traffic = await readTraffic(sql, now);
    return { traffic, today: withLive(await dayUntil(now, traffic.liveFrom), traffic.live) };
  };
  return async (now) => {
    const [{ traffic, today }, young, watched, callbacks, float, complaints, approvalsWaiting, alerts] = await Promise.all([
      readMoney(now),
      readRecentOrders(sql, now),
      readPolledOrders(sql, now),
      readCallbackOverview(sql, now),
      readFloat(sql),
      readComplaintCounts(sql, now),
      countWaiting(sql),
      listActiveAlerts(sql),
    ]);
    return { at: now, traffic, today, young, watched, callbacks, float, complaints, approvalsWaiting, alerts };
  };
}
