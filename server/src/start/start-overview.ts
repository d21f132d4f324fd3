import { readFileSync } from "node:fs";
import { MAX_VIEWERS } from "../api/operator/overview/overview-actions.ts";
import { SESSION_LIMITS } from "../api/sites/actions/session-limits.ts";
import { createViewers, type Viewers } from "../api/sites/viewers.ts";
import type { Cells } from "../cells/cells.ts";
import type { Catalogue } from "../domain/catalog/catalogue.ts";
import { modeConflict } from "../domain/providers/mode/mode.ts";
import type { ProviderRegistry } from "../domain/providers/registry.ts";
import { findUnserved, type Unserved } from "../domain/providers/routing/unserved.ts";
import { createOverview, type Overview, overviewJobs } from "../domain/reporting/overview.ts";
import type { Activity } from "../platform/core/activity.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { Ids } from "../platform/core/ids.ts";
import type { PeriodicJob } from "../platform/core/periodic-job.ts";
import type { Vault } from "../platform/crypto/vault.ts";
import type { Sql } from "../platform/db/connection.ts";
import type { DatabaseHealth } from "../platform/db/servers/health.ts";
import { createJobStatuses, type JobStatuses } from "../platform/observability/job-statuses.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { Config } from "../settings/config.ts";
import { shownSettings } from "../settings/shown-settings.ts";
import type { OrdersModule } from "./start-orders.ts";

type Dependencies = {
  readonly config: Config;
  readonly activity: Pick<Activity, "note">;
  readonly cells: Cells;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly orders: Pick<OrdersModule, "context" | "providerRegistry">;
  readonly catalogue: Catalogue;
  readonly databaseHealth: Pick<DatabaseHealth, "trouble">;
};

export type OverviewModule = {
  readonly overview: Overview;
  readonly viewers: Viewers;
  readonly downloads: Viewers;
  readonly jobStatuses: JobStatuses;
  readonly jobs: readonly PeriodicJob[];
  /** Ends live views, whose connections would otherwise stay open. */
  readonly close: () => void;
};

export function startOverview(dependencies: Dependencies): OverviewModule {
  const { config, cells, sql, clock, ids, vault, log, metrics, orders, catalogue, databaseHealth } = dependencies;
  const { providerRegistry } = orders;
  const { processId } = orders.context;
  const version = ownVersion();
  const jobStatuses = createJobStatuses();
  const otherCells = () => ({
    databases: cells.all().flatMap(({ database, longWork }) => (longWork === sql || database.health.isAway() ? [] : [longWork])),
    isComplete: cells.troubles().length === 0,
  });
  const context = {
    ...{ sql, otherCells, clock, ids, vault, log, processId, version },
    settings: shownSettings(config),
    mode: () => ({ mode: providerRegistry.mode(), conflict: modeConflict(providerRegistry.modeFacts()) }),
    databaseTrouble: databaseHealth.trouble,
    replica: cells.home.replica,
  };
  const overview = createOverview(context, dependencies.activity.note);
  const jobs = overviewJobs(
    {
      sql,
      otherCells,
      clock,
      ids,
      vault,
      log,
      processId,
      version,
      jobStatuses,
      isSetLive: config.mode === "live",
      // A half-open breaker still counts as open.
      openBreakers: () => providerRegistry.breakers().filter(({ breaker }) => breaker.state !== "closed"),
      unserved: () => unservedNow(providerRegistry, catalogue),
    },
    metrics,
  );
  const close = () => {
    for (const reading of Object.values(overview.readings)) reading.close();
  };
  const views = { viewers: createViewers(MAX_VIEWERS), downloads: createViewers(SESSION_LIMITS.downloads) };
  return { overview, ...views, jobStatuses, jobs, close };
}

function unservedNow(providerRegistry: ProviderRegistry, catalogue: Catalogue): Unserved {
  return findUnserved(providerRegistry.network(), {
    operators: catalogue.operators().map(({ operator: name, enabled }) => ({ name, enabled })),
    services: catalogue.services().map(({ service: name, enabled }) => ({ name, enabled })),
  });
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
  return version;
}
