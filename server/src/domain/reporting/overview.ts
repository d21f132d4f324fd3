import { Gauge } from "prom-client";
import type { PeriodicJob } from "../../platform/core/periodic-job.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { AccountMode } from "../accounts/account-mode.ts";
import { readMovingAccounts } from "../accounts/moving-accounts.ts";
import { ALERT_KINDS } from "./alerts/alert.ts";
import { type AlertContext, evaluateAlerts, QUIET_WATCH_MILLISECONDS, WATCH_MILLISECONDS } from "./alerts/evaluate-alerts.ts";
import { countActiveAlerts } from "./alerts/store.ts";
import type { OverviewContext } from "./context.ts";
import { mergeSnapshots, type Snapshot, snapshotReader } from "./read-snapshot.ts";
import { type Shared, shareReading } from "./share-reading.ts";
import { readSystem, type System, type SystemContext } from "./system/read-system.ts";
import { QUIET_REPORT_MILLISECONDS, REPORT_MILLISECONDS, type ReportContext, reportProcess } from "./system/report-process.ts";

/** The live system overview and its viewers. */
export type Overview = {
  /** Of the live accounts and of the sandbox accounts. */
  readonly readings: Readonly<Record<AccountMode, Shared<Snapshot>>>;
  readonly system: () => Promise<System>;
};

// The cost of a reading grows with the traffic, and so does the pause after it: it uses a few percent of one core at most.
const REST_TIMES = 30;

/** `noteReading` is called with every reading: somebody watches. */
export function createOverview(ctx: OverviewContext & SystemContext, noteReading: () => void = () => {}): Overview {
  return {
    readings: { live: readingOf(ctx, "live", noteReading), test: readingOf(ctx, "test", noteReading) },
    system: () => readSystem(ctx),
  };
}

function readingOf(ctx: OverviewContext, mode: AccountMode, noteReading: () => void): Shared<Snapshot> {
  const read = readerOfCells(ctx, mode);
  return shareReading({
    read: () => {
      noteReading();
      return read();
    },
    onError: (error) => ctx.log.warn({ err: error }, "reading the overview failed; will retry"),
  });
}

/** Reads all cells that answer. Each has a reader of its own, which remembers the day's sums. */
function readerOfCells({ sql, clock, otherCells }: OverviewContext, mode: AccountMode): () => Promise<Snapshot> {
  const readers = new Map<Sql, ReturnType<typeof snapshotReader>>();
  const readerOf = (database: Sql) => {
    const reader = readers.get(database) ?? snapshotReader(database, mode);
    readers.set(database, reader);
    return reader;
  };
  return async () => {
    const { databases, isComplete } = otherCells?.() ?? { databases: [], isComplete: true };
    const now = clock.now();
    const moving = databases.length === 0 ? [] : await readMovingAccounts(sql);
    const [home, ...others] = await Promise.all([sql, ...databases].map((database) => readerOf(database)(now, moving)));
    if (!home) throw new Error("Home has no snapshot.");
    return mergeSnapshots(home, others, isComplete);
  };
}

/** The periodic jobs that the overview needs. Every process may run them. */
export function overviewJobs(ctx: AlertContext & ReportContext, metrics: Metrics): readonly PeriodicJob[] {
  alertMetrics(ctx.sql, metrics);
  return [
    {
      name: "process report",
      everyMilliseconds: REPORT_MILLISECONDS,
      quietMilliseconds: QUIET_REPORT_MILLISECONDS,
      atActivity: true,
      run: () => reportProcess(ctx),
    },
    {
      name: "alerts",
      everyMilliseconds: WATCH_MILLISECONDS,
      quietMilliseconds: QUIET_WATCH_MILLISECONDS,
      restFactor: REST_TIMES,
      run: () => evaluateAlerts(ctx),
    },
  ];
}

/** Read from the database at each scrape, so that every process reports the same. */
export function alertMetrics(sql: Sql, { registry }: Metrics): void {
  const gauge: Gauge<"kind"> = new Gauge({
    name: "corprail_alerts_open",
    help: "Open and acknowledged alerts, by kind.",
    labelNames: ["kind"],
    aggregator: "max",
    registers: [registry],
    collect: async () => {
      // Without a database there is nothing to report, but the other metrics must stay available.
      const counts = await countActiveAlerts(sql).catch(() => null);
      for (const kind of Object.keys(ALERT_KINDS)) gauge.set({ kind }, counts === null ? Number.NaN : (counts.get(kind) ?? 0));
    },
  });
}
