import { readFileSync } from "node:fs";
import { MAX_VIEWERS } from "./api/operator/overview/overview-actions.ts";
import { createViewers, type Viewers } from "./api/sites/viewers.ts";
import type { Config } from "./config.ts";
import type { Catalogue } from "./domain/catalog/catalogue.ts";
import { modeConflict } from "./domain/providers/mode/mode.ts";
import type { ProviderRegistry } from "./domain/providers/registry.ts";
import { findUnserved, type Unserved } from "./domain/providers/routing/unserved.ts";
import type { OverviewContext } from "./domain/reporting/context.ts";
import { type BackgroundJob, createOverview, type Overview, overviewJobs } from "./domain/reporting/overview.ts";
import { createJobStatuses, type JobStatuses } from "./platform/observability/job-statuses.ts";
import type { Log } from "./platform/observability/log.ts";
import type { Metrics } from "./platform/observability/metrics.ts";
import { shownSettings } from "./shown-settings.ts";

export type OverviewModuleOptions = OverviewContext & {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly processId: string;
  readonly providerRegistry: ProviderRegistry;
  readonly catalogue: Catalogue;
};

export type OverviewModule = {
  readonly overview: Overview;
  readonly viewers: Viewers;
  readonly jobStatuses: JobStatuses;
  readonly jobs: readonly BackgroundJob[];
  /** Ends live views, whose connections would otherwise stay open. */
  readonly close: () => void;
};

export function startOverview(options: OverviewModuleOptions): OverviewModule {
  const jobStatuses = createJobStatuses();
  // A half-open breaker still counts as open.
  const openBreakers = () => options.providerRegistry.breakers().filter(({ breaker }) => breaker.state !== "closed");
  const ctx = {
    ...options,
    jobStatuses,
    version: ownVersion(),
    settings: shownSettings(options.config),
    openBreakers,
    isSetLive: options.config.mode === "live",
    unserved: () => unservedNow(options),
    mode: () => ({ mode: options.providerRegistry.mode(), conflict: modeConflict(options.providerRegistry.modeFacts()) }),
  };
  const overview = createOverview(ctx);
  return {
    overview,
    viewers: createViewers(MAX_VIEWERS),
    jobStatuses,
    jobs: overviewJobs(ctx, options.metrics),
    close: overview.live.close,
  };
}

function unservedNow({ providerRegistry, catalogue }: OverviewModuleOptions): Unserved {
  return findUnserved(providerRegistry.network(), {
    operators: catalogue.operators().map(({ operator: name, enabled }) => ({ name, enabled })),
    services: catalogue.services().map(({ service: name, enabled }) => ({ name, enabled })),
  });
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return version;
}
