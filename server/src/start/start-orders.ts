import type { Change } from "../domain/audit/feed.ts";
import { type AttemptRecords, createAttemptRecords } from "../domain/orders/attempts/attempt-records.ts";
import type { OrdersContext } from "../domain/orders/context.ts";
import { createOrdersInProgress } from "../domain/orders/orders-in-progress.ts";
import { LONGEST_POLL_MILLISECONDS } from "../domain/orders/recovery/poll-schedule.ts";
import { applyReportInCells } from "../domain/orders/recovery/report-in-cells.ts";
import { createWriter } from "../domain/orders/write/writer.ts";
import type { Pricing } from "../domain/pricing/pricing.ts";
import type { CallbackRefusalReason } from "../domain/providers/callbacks/refused-callback.ts";
import { createRefusedCallbacks, type RefusedCallbacks } from "../domain/providers/callbacks/refused-callbacks.ts";
import type { Report } from "../domain/providers/connector.ts";
import { createProviderBalances, type ProviderBalances } from "../domain/providers/health/balances.ts";
import { createProviderReferences } from "../domain/providers/references.ts";
import { loadProviders, type ProviderRegistry, providerChanges } from "../domain/providers/registry.ts";
import { createShadowLog, shadowJob } from "../domain/providers/versions/shadow-log.ts";
import type { Egress } from "../domain/providers/wire/exchange.ts";
import { storedDetailsReader } from "../domain/services/stored-details.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { Ids } from "../platform/core/ids.ts";
import type { PeriodicJob } from "../platform/core/periodic-job.ts";
import type { Vault } from "../platform/crypto/vault.ts";
import { connect } from "../platform/db/connection.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { Config } from "../settings/config.ts";
import { createModeLogger, keepLiveMode, type ModeOptions, recordLiveMode } from "../settings/live-mode.ts";
import type { ConnectedDatabase } from "./connect-database.ts";
import { balanceJobs, measureBalances } from "./start-balances.ts";

type Dependencies = {
  readonly config: Pick<Config, "cells" | "mode" | "simulator" | "providerSecrets" | "replyWaitMilliseconds">;
  readonly database: Pick<ConnectedDatabase, "url" | "role" | "sql">;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pricing: Pricing;
  readonly egress: Egress;
  readonly processId: string;
  readonly wakeCallbacks: () => void;
  /** Whether only the simulator serves an account. */
  readonly isSandbox: (accountId: string) => boolean;
  readonly writerTuning: WriterTuning | undefined;
  /** The orders of the other cells, in which a report's order may be. */
  readonly otherCells: () => readonly OrdersContext[];
};

/** Overrides the writer's batch size and number of connections, for benchmarks. */
export type WriterTuning = { readonly maxItems: number; readonly connections: number };

export type OrdersModule = {
  readonly context: OrdersContext;
  readonly providerRegistry: ProviderRegistry;
  /** Applies a provider's status report. Reports from a provider other than the order's own are refused. */
  readonly applyReport: (report: Report, provider: string) => Promise<CallbackRefusalReason | null>;
  /** Callbacks from providers that were refused. */
  readonly refusedCallbacks: RefusedCallbacks;
  /** The latest known balances at providers. */
  readonly balances: ProviderBalances;
  readonly countCallback: (provider: string, outcome: string) => void;
  /** Periodic jobs of this module. */
  readonly jobs: readonly PeriodicJob[];
  /** Updates providers, routes and the mode from the change feed. */
  readonly takeChanges: (changes: readonly Change[]) => Promise<void>;
  /** Logs whether the installation is in trial or live mode, if that has changed. */
  readonly logMode: () => void;
  readonly close: () => Promise<void>;
};

// Orders in progress get this long to finish when the process stops. Another process polls the provider for the rest.
const DRAIN_MILLISECONDS = 2_000;

export async function startOrders(dependencies: Dependencies): Promise<OrdersModule> {
  const { config, database, vault, clock, ids, log, metrics, pricing, egress, processId, wakeCallbacks, isSandbox } = dependencies;
  const { sql } = database;
  const engine = startEngine(dependencies);
  const balances = createProviderBalances({ sql });
  const modeOptions: ModeOptions = { sql, clock, setting: config.mode };
  await recordLiveMode(modeOptions);
  const apply = async (report: Report, provider: string) => {
    const others = dependencies.otherCells();
    const reached = { cells: [context, ...others], isComplete: others.length === config.cells.length };
    return await applyReportInCells(reached, report, provider);
  };
  const shadowLog = createShadowLog({ sql, clock, ids });
  const providerRegistry = await loadProviders({
    sql,
    vault,
    clock,
    log,
    simulator: config.simulator,
    environment: config.providerSecrets,
    modeSetting: config.mode,
    egress,
    countFault: metrics.providerFault,
    noteCompared: shadowLog.note,
    reportTo: (report, provider) => {
      apply(report, provider).catch((error: unknown) =>
        log.warn({ err: error, order: report.reference }, "applying a provider's report failed; the order will be polled"),
      );
    },
  });
  const context: OrdersContext = {
    ...engine.parts,
    balances,
    providerRegistry,
    references: createProviderReferences(sql, clock),
    isSandbox,
    pricing,
    clock,
    ids,
    log,
    processId,
    otherCells: dependencies.otherCells,
    wakeCallbacks,
    replyWaitMilliseconds: config.replyWaitMilliseconds,
  };
  measureBalances(metrics, balances);
  const refusedCallbacks = createRefusedCallbacks({ sql, clock, ids, log, count: metrics.providerCallback });
  return {
    context,
    providerRegistry,
    ...followMode(modeOptions, providerRegistry, log),
    applyReport: apply,
    refusedCallbacks,
    countCallback: metrics.providerCallback,
    balances,
    jobs: [refusedCallbacks.sweep, shadowJob(shadowLog), ...balanceJobs(context, balances, providerRegistry)],
    close: async () => {
      await engine.drain();
      await providerRegistry.close();
      await engine.close();
    },
  };
}

type CellDependencies = EngineDependencies & Pick<OrdersContext, "ids" | "wakeCallbacks" | "isSandbox">;

/** The orders of a cell beside home: its own writer and database, and home's providers and prices. */
export function startOrdersOfCell(home: OrdersContext, dependencies: CellDependencies): Pick<OrdersModule, "context" | "close"> {
  const { ids, wakeCallbacks, isSandbox } = dependencies;
  const engine = startEngine(dependencies);
  const otherCells = () => [home, ...home.otherCells().filter((ctx) => ctx.sql !== engine.parts.sql)];
  return {
    context: { ...home, ...engine.parts, ids, otherCells, wakeCallbacks, isSandbox },
    close: async () => {
      await engine.drain();
      await engine.close();
    },
  };
}

type EngineDependencies = Pick<Dependencies, "database" | "clock" | "processId" | "log" | "metrics" | "writerTuning">;
type EngineParts = Pick<OrdersContext, "sql" | "writer" | "inProgress" | "attempts" | "readStoredDetails" | "stopping">;

/** What every cell has of its own. */
function startEngine(dependencies: EngineDependencies) {
  const { database, log, metrics } = dependencies;
  const { sql } = database;
  const attempts = createAttemptRecords({ sql, log, observe: metrics.batches("attempt records") });
  const { writer, connection } = createWriterWithConnection(dependencies, attempts);
  const inProgress = createOrdersInProgress();
  const stop = new AbortController();
  measureOrders(metrics, { inProgress, writer, attempts });
  const parts: EngineParts = { sql, writer, inProgress, attempts, readStoredDetails: storedDetailsReader(sql), stopping: stop.signal };
  const drain = async () => {
    await Promise.race([inProgress.drained(), new Promise((resolve) => setTimeout(resolve, DRAIN_MILLISECONDS).unref())]);
    stop.abort();
  };
  return { parts, drain, close: connection.close };
}

/** The longest interval between two polls of an order, as the providers' schedules are now. */
export function longestPoll(registry: ProviderRegistry): number {
  const policies = registry.providers().flatMap(({ connector }) => connector?.polling ?? []);
  const intervals = policies.flatMap(({ firstMilliseconds, everyMilliseconds }) => [firstMilliseconds, everyMilliseconds]);
  return Math.max(LONGEST_POLL_MILLISECONDS, ...intervals);
}

type Measured = Pick<OrdersContext, "inProgress" | "writer"> & { readonly attempts: AttemptRecords };

function measureOrders(metrics: Metrics, { inProgress, writer, attempts }: Measured): void {
  metrics.gauge("corprail_orders_under_way", "Orders this process is working on.", () => inProgress.size());
  metrics.gauge("corprail_writer_load", "Operations waiting for or in a batch of the writer.", () => writer.load());
  metrics.gauge("corprail_evidence_waiting", "Records of provider attempts that wait to be written.", () => attempts.waiting());
  metrics.gauge("corprail_evidence_dropped", "Records of provider attempts that are missing; should be 0.", () => attempts.dropped());
}

function followMode(options: ModeOptions, registry: ProviderRegistry, log: Log): Pick<OrdersModule, "takeChanges" | "logMode"> {
  const takeProviders = providerChanges(registry);
  const keepLive = keepLiveMode(options, registry);
  const logMode = createModeLogger(log, registry);
  return {
    logMode,
    takeChanges: async (changes) => {
      await takeProviders(changes);
      await keepLive();
      logMode();
    },
  };
}

/** The writer with its own database connection, so that a batch never waits for another statement. */
function createWriterWithConnection(dependencies: EngineDependencies, attempts: AttemptRecords) {
  const { database, clock, processId, log, metrics, writerTuning: tuning } = dependencies;
  const connection = connect({ url: database.url, role: database.role, connections: tuning?.connections ?? 1, purpose: "batches" });
  const writer = createWriter({
    connection: connection.sql,
    sql: database.sql,
    clock,
    processId,
    log,
    writeEvidence: attempts.write,
    observe: metrics.batches("writer"),
    ...(tuning ? { maxItems: tuning.maxItems, maxInFlight: tuning.connections } : {}),
  });
  return { writer, connection };
}
