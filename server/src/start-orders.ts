import type { Config } from "./config.ts";
import type { ConnectedDatabase } from "./connect-database.ts";
import type { Change } from "./domain/audit/feed.ts";
import { type AttemptRecords, createAttemptRecords } from "./domain/orders/attempts/attempt-records.ts";
import type { OrdersContext } from "./domain/orders/context.ts";
import { createOrdersInProgress } from "./domain/orders/orders-in-progress.ts";
import { applyReport } from "./domain/orders/recovery/apply-finding.ts";
import { LONGEST_POLL_MILLISECONDS } from "./domain/orders/recovery/poll-schedule.ts";
import { createWriter } from "./domain/orders/write/writer.ts";
import type { Pricing } from "./domain/pricing/pricing.ts";
import type { CallbackRefusalReason } from "./domain/providers/callbacks/refused-callback.ts";
import { createRefusedCallbacks, type RefusedCallbacks } from "./domain/providers/callbacks/refused-callbacks.ts";
import type { Report } from "./domain/providers/connector.ts";
import { createProviderBalances, type ProviderBalances, queryBalances } from "./domain/providers/health/balances.ts";
import { createProviderReferences } from "./domain/providers/references.ts";
import { loadProviders, type ProviderRegistry, providerChanges } from "./domain/providers/registry.ts";
import type { Egress } from "./domain/providers/wire/exchange.ts";
import { claimTurn } from "./domain/reporting/claim-turn.ts";
import { storedDetailsReader } from "./domain/services/stored-details.ts";
import { createModeLogger, keepLiveMode, type ModeOptions, recordLiveMode } from "./live-mode.ts";
import type { Clock } from "./platform/core/clock.ts";
import type { Ids } from "./platform/core/ids.ts";
import type { PeriodicJob } from "./platform/core/periodic-job.ts";
import type { Vault } from "./platform/crypto/vault.ts";
import { connect } from "./platform/db/connection.ts";
import type { Log } from "./platform/observability/log.ts";
import type { Metrics } from "./platform/observability/metrics.ts";

type Dependencies = {
  readonly config: Pick<Config, "mode" | "simulator" | "providerSecrets" | "replyWaitMilliseconds">;
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
  const { writer, connection } = createWriterWithConnection(dependencies);
  const inProgress = createOrdersInProgress();
  const attempts = createAttemptRecords({ sql, log, observe: metrics.batches("attempt records") });
  const balances = createProviderBalances({ sql });
  const stop = new AbortController();
  const modeOptions: ModeOptions = { sql, clock, setting: config.mode };
  await recordLiveMode(modeOptions);
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
    reportTo: (report, provider) => {
      applyReport(context, report, provider).catch((error: unknown) =>
        log.warn({ err: error, order: report.reference }, "applying a provider's report failed; the order will be polled"),
      );
    },
  });
  const context: OrdersContext = {
    sql,
    writer,
    inProgress,
    attempts,
    balances,
    providerRegistry,
    references: createProviderReferences(sql, clock),
    readStoredDetails: storedDetailsReader(sql),
    isSandbox,
    pricing,
    clock,
    ids,
    log,
    processId,
    stopping: stop.signal,
    wakeCallbacks,
    replyWaitMilliseconds: config.replyWaitMilliseconds,
  };
  measureOrders(metrics, { inProgress, writer, attempts, balances });
  const refusedCallbacks = createRefusedCallbacks({ sql, clock, ids, log, count: metrics.providerCallback });
  return {
    context,
    providerRegistry,
    ...followMode(modeOptions, providerRegistry, log),
    applyReport: (report, provider) => applyReport(context, report, provider),
    refusedCallbacks,
    countCallback: metrics.providerCallback,
    balances,
    jobs: [refusedCallbacks.sweep, ...balanceJobs(context, balances, providerRegistry)],
    close: async () => {
      await Promise.race([inProgress.drained(), new Promise((resolve) => setTimeout(resolve, DRAIN_MILLISECONDS).unref())]);
      stop.abort();
      await providerRegistry.close();
      await connection.close();
    },
  };
}

/** The longest interval between two polls of an order, as the providers' schedules are now. */
export function longestPoll(registry: ProviderRegistry): number {
  const policies = registry.providers().flatMap(({ connector }) => connector?.polling ?? []);
  const intervals = policies.flatMap(({ firstMilliseconds, everyMilliseconds }) => [firstMilliseconds, everyMilliseconds]);
  return Math.max(LONGEST_POLL_MILLISECONDS, ...intervals);
}

type Measured = Pick<OrdersContext, "inProgress" | "writer"> & { readonly attempts: AttemptRecords; readonly balances: ProviderBalances };

function measureOrders(metrics: Metrics, { inProgress, writer, attempts, balances }: Measured): void {
  metrics.gauge("corprail_orders_under_way", "Orders this process is working on.", () => inProgress.size());
  metrics.gauge("corprail_writer_load", "Operations waiting for or in a batch of the writer.", () => writer.load());
  metrics.gauge("corprail_evidence_waiting", "Records of provider attempts that wait to be written.", () => attempts.waiting());
  metrics.gauge("corprail_evidence_dropped", "Records of provider attempts that are missing; should be 0.", () => attempts.dropped());
  const help = "The latest known balance of the platform at a provider, in rupees.";
  const known = () =>
    [...balances.all()].flatMap(([provider, { balance }]) => (balance === null ? [] : [[provider, Number(balance) / 10_000] as const]));
  metrics.labelledGauge("corprail_provider_balance", help, "provider", known, "max");
}

const BALANCE_MILLISECONDS = 3_000;
const BALANCE_QUERY_MILLISECONDS = 300_000;

/** Writes and reads the balances at providers, and asks for them, one process at a time. */
function balanceJobs(
  { sql, clock, log, stopping: signal }: OrdersContext,
  balances: ProviderBalances,
  registry: ProviderRegistry,
): readonly PeriodicJob[] {
  const query = async () => {
    if (!(await claimTurn(sql, "provider balances", clock.now(), BALANCE_QUERY_MILLISECONDS))) return;
    const providers = registry.providers().flatMap(({ row, connector }) => {
      const isAsked = connector !== null && row.enabled && row.connector !== "simulator";
      return isAsked ? [{ name: row.provider, connector }] : [];
    });
    const isTurn = (name: string, milliseconds: number) => claimTurn(sql, `provider balance ${name}`, clock.now(), milliseconds);
    await queryBalances({ balances, providers, isTurn, clock, log, signal });
  };
  return [
    { name: "provider balances", everyMilliseconds: BALANCE_MILLISECONDS, run: balances.synchronise },
    { name: "provider balance queries", everyMilliseconds: 30_000, run: query },
  ];
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
function createWriterWithConnection({ database, clock, processId, log, metrics, writerTuning: tuning }: Dependencies) {
  const connection = connect({ url: database.url, role: database.role, connections: tuning?.connections ?? 1, purpose: "batches" });
  const writer = createWriter({
    connection: connection.sql,
    sql: database.sql,
    clock,
    processId,
    log,
    observe: metrics.batches("writer"),
    ...(tuning ? { maxItems: tuning.maxItems, maxInFlight: tuning.connections } : {}),
  });
  return { writer, connection };
}
