import { countWaiting } from "../approvals/store.ts";
import { type Overview as CallbackOverview, readOverview as readCallbackOverview } from "../callbacks/read-overview.ts";
import type { Sql } from "../db/connection.ts";
import type { Alert } from "./alerts/alert.ts";
import { listStanding } from "./alerts/store.ts";
import { type ComplaintCounts, readComplaintCounts } from "./standing/read-complaints.ts";
import { type Float, readFloat, readToday, type Today } from "./standing/read-float.ts";
import { type Now, readNow } from "./standing/read-pending.ts";
import { readTraffic, type Traffic } from "./traffic/read-traffic.ts";

/** How the house stands at one moment, over all processes: everything here is read from the database. */
export type Snapshot = {
  readonly at: number;
  readonly traffic: Traffic;
  readonly now: Now;
  readonly callbacks: CallbackOverview;
  readonly float: Float;
  readonly today: Today;
  readonly complaints: ComplaintCounts;
  /** What waits for a second pair of eyes. */
  readonly approvalsWaiting: number;
  readonly alerts: readonly Alert[];
};

// A day's sum changes slowly, and has the most rows to add up.
const TODAY_MILLISECONDS = 30_000;

/** Reads snapshots, one after the other. */
export function snapshotReader(sql: Sql): (now: number) => Promise<Snapshot> {
  let today: { readonly at: number; readonly read: Today } | null = null;
  const todayAt = async (now: number): Promise<Today> => {
    if (today?.read.isComplete && Math.abs(now - today.at) < TODAY_MILLISECONDS) return today.read;
    today = { at: now, read: await readToday(sql, now) };
    return today.read;
  };
  return async (now) => {
    const [traffic, atOnce, callbacks, float, day, complaints, approvalsWaiting, alerts] = await Promise.all([
      readTraffic(sql, now),
      readNow(sql, now),
      readCallbackOverview(sql, now),
      readFloat(sql),
      todayAt(now),
      readComplaintCounts(sql, now),
      countWaiting(sql),
      listStanding(sql),
    ]);
    return { at: now, traffic, now: atOnce, callbacks, float, today: day, complaints, approvalsWaiting, alerts };
  };
}
