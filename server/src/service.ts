import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { GateContext } from "./api/client/gate/gate.ts";
import { type RouteTable, routeTable } from "./api/client/route-table.ts";
import { clientRoutes } from "./api/client/routes.ts";
import { clientApi } from "./api/http/client-api.ts";
import { type HttpServer, listen } from "./api/http/server.ts";
import { buildSite, type SiteContext, startConsolePort, startMetricsPort } from "./api/http/site.ts";
import { staffExecutors } from "./api/operator/approvals/executors.ts";
import { createStaffJobs } from "./api/operator/jobs/staff-jobs.ts";
import { createPortalJobs } from "./api/portal/jobs/portal-jobs.ts";
import type { Config } from "./config.ts";
import { type ConnectedDatabase, connectDatabase } from "./connect-database.ts";
import { createGate } from "./create-gate.ts";
import { accountChanges, loadDirectory } from "./domain/accounts/directory.ts";
import { createCallLog } from "./domain/api-log/call-log.ts";
import { approvalsJob } from "./domain/approvals/approvals-job.ts";
import { actionExecutors } from "./domain/approvals/executors/action-executors.ts";
import { audited, type ChangeFeed, followChanges } from "./domain/audit/feed.ts";
import { dummyHash } from "./domain/auth/passwords/passwords.ts";
import { callbackUrlChecker } from "./domain/callbacks/callback-url.ts";
import { callbackChanges, startCallbacks } from "./domain/callbacks/start-callbacks.ts";
import { catalogueChanges, loadCatalogue } from "./domain/catalog/catalogue.ts";
import { createOrderSummaryFinder } from "./domain/orders/queries/find-orders.ts";
import { repairPollTimes } from "./domain/orders/recovery/pending-poll-store.ts";
import type { Writer } from "./domain/orders/write/writer.ts";
import { loadPricing, pricingChanges } from "./domain/pricing/pricing.ts";
import { createLimits, createProviderServices } from "./domain/services/registry.ts";
import { createDemoOnFirstRun } from "./first-run.ts";
import { randomIds } from "./platform/core/ids.ts";
import { findKeyFile } from "./platform/crypto/find-key-file.ts";
import { loadVault } from "./platform/crypto/vault.ts";
import { connect } from "./platform/db/connection.ts";
import { createClockWatch, startClock } from "./platform/db/database-clock.ts";
import { createMailer } from "./platform/mail/mailer.ts";
import type { Log } from "./platform/observability/log.ts";
import { createMetrics } from "./platform/observability/metrics.ts";
import { flushOutput } from "./platform/observability/standard-output.ts";
import { type Running, type Settings, siteContextOf } from "./site-context.ts";
import { startBackgroundJobs } from "./start-background-jobs.ts";
import { egressOf, type OrdersModule, startOrders, type WriterTuning } from "./start-orders.ts";
import { startOverview } from "./start-overview.ts";

export type Service = {
  readonly port: number;
  /** Resolves with the reason when the service cannot continue. */
  readonly failed: Promise<string>;
  /** Keeps serving, but /readyz answers 503 and each reply closes its connection. */
  readonly drain: () => void;
  readonly stop: () => Promise<void>;
};

const GRACE_MILLISECONDS = 6_000;
// A separate pool for long jobs (exports, counts, comparisons), so that they cannot starve requests.
const LONG_WORK_CONNECTIONS = 6;

type Closer = () => Promise<unknown> | unknown;

export type StartOptions = {
  readonly writer?: WriterTuning;
  /** Awaited before the service listens: another server that holds the port can release it. */
  readonly beforeListening?: () => Promise<void>;
};

/** Starts the modules in order. They are closed in reverse order, also if a later one fails to start. */
export async function startService(config: Config, log: Log, options: StartOptions = {}): Promise<Service> {
  const closers: Closer[] = [];
  const closeAll = async () => {
    for (const close of closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        // For example because the database is gone. The remaining modules must still be closed.
        log.warn({ err: error }, "closing a module failed");
      }
    }
  };
  try {
    const database = await connectDatabase(config, log);
    closers.push(() => database.close());
    const { port, drain } = await startModules(config, log, database, closers, options);
    return {
      port,
      drain: () => {
        database.stopping();
        drain();
      },
      failed: database.died.then((lastWords) => `The embedded PostgreSQL exited unexpectedly: ${lastWords}`),
      stop: () => {
        database.stopping();
        return closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function startModules(
  config: Config,
  log: Log,
  database: ConnectedDatabase,
  closers: Closer[],
  { writer, beforeListening }: StartOptions,
): Promise<Pick<Service, "port" | "drain">> {
  const ctx = await loadSettings(config, log, database, closers);
  const processId = ctx.ids.entry(ctx.clock.now());
  const callbacks = await startCallbacks({ ...ctx, processId, allow: config.callbackAllow });
  closers.push(() => callbacks.close());
  const isSandbox = (accountId: string) => ctx.gate.accountById(accountId)?.sandbox ?? false;
  const orders = await startOrders({ ...ctx, processId, config, database, wakeCallbacks: callbacks.wake, isSandbox, writer });
  database.stalls.push(orders.ctx.writer.stalledMilliseconds, ctx.gate.admission.stalledMilliseconds);
  followWriter(ctx.gate, orders.ctx.writer);
  ctx.changeListeners.push(orders.takeChanges, callbackChanges(callbacks, log));
  const providerServices = createProviderServices({ clock: ctx.clock, simulatorDelayMilliseconds: config.simulator.delayMilliseconds });
  const mail = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log });
  closers.push(() => mail.close());
  const longWork = connect({ url: database.url, role: database.role, connections: LONG_WORK_CONNECTIONS, purpose: "long work" });
  closers.push(() => longWork.close());
  const { sql } = longWork;
  const portalJobs = createPortalJobs({ ...ctx, sql, mail, callbacks });
  const running: Running = { started: false, stopping: false, port: config.port, consolePort: 0 };
  const approvals = { ...ctx, executors: { ...actionExecutors({ ...orders.ctx, providerServices }), ...staffExecutors(ctx) } };
  const overview = startOverview({ ...ctx, sql, config, processId, providerRegistry: orders.providerRegistry });
  const modules = { ...ctx, ...overview, longWork: sql, mail, providerServices, approvals, callbacks, orders };
  const siteContext = siteContextOf(config, modules, running);
  const staffJobs = createStaffJobs({ ...siteContext, sql });
  const jobs = [ctx.clockWatch.job, ...orders.jobs, ...portalJobs.jobs, ...staffJobs.jobs, ...overview.jobs];
  jobs.push(approvalsJob(approvals, ctx.metrics));
  const jobContext = { ...orders.ctx, providerServices, longWork: sql, auth: ctx.auth, jobStatuses: overview.jobStatuses };
  closers.push(orders.close, portalJobs.close, staffJobs.close, await startBackgroundJobs(jobContext, ctx.metrics, jobs));
  const site = await buildSite(siteContext, { console: config.consolePort === null });
  closers.push(() => site.close());
  await dummyHash();
  const table = clientTable(ctx, orders, providerServices);
  await beforeListening?.();
  const server = await listen({
    host: config.host,
    port: config.port,
    clientApi: clientApi({ table, gate: ctx.gate, ids: ctx.ids, log, metrics: ctx.metrics, calls: ctx.calls }),
    others: (request, response) => site.routing(request, response),
    ids: ctx.ids,
  });
  running.port = server.port;
  closers.push(() => server.close(GRACE_MILLISECONDS));
  await startMetrics(config, siteContext, closers);
  running.consolePort = (await startConsole(config, siteContext, closers)) ?? server.port;
  closers.push(overview.close);
  const { host, dataFolder } = config;
  await createDemoOnFirstRun({ ...ctx, ...running, orders: orders.ctx, mode: orders.providerRegistry.mode(), host, dataFolder });
  orders.logMode();
  log.info({ address: `http://${config.host}:${server.port}` }, "listening");
  flushOutput();
  running.started = true;
  return { port: server.port, drain: () => startDrain(running, server) };
}

function clientTable(ctx: Settings, orders: OrdersModule, providerServices: ReturnType<typeof createProviderServices>): RouteTable {
  const { sql, catalogue, vault } = ctx;
  const lookUp = createOrderSummaryFinder(sql, ctx.metrics.batches("look-up"));
  const { health } = orders.providerRegistry;
  return routeTable(clientRoutes({ ...orders.ctx, catalogue, vault, providerServices, limits: createLimits(sql), lookUp, health }));
}

/** Counts the writer's wait twice, because each order is written when it is accepted and again when it settles. */
function followWriter({ congestion, admission }: GateContext, writer: Writer): void {
  congestion.follow((accountId) => 2 * writer.waitSeconds(accountId, admission.ahead(accountId)), "POST");
}

function startDrain(running: Running, server: HttpServer): void {
  running.stopping = true;
  server.drain();
}

async function startMetrics(config: Config, ctx: SiteContext, closers: Closer[]): Promise<void> {
  if (config.metricsPort === null) return;
  const site = await startMetricsPort(ctx, config.host, config.metricsPort);
  closers.push(() => site.close());
}

async function startConsole(config: Config, ctx: SiteContext, closers: Closer[]): Promise<number | null> {
  if (config.consolePort === null) return null;
  const own = await startConsolePort(ctx, config.host, config.consolePort);
  closers.push(own.close);
  ctx.log.info({ address: `http://${config.host}:${own.port}/console` }, "console listening");
  return own.port;
}

/** Loads the settings that decide requests and follows the change feed to keep them current. */
async function loadSettings(config: Config, log: Log, database: ConnectedDatabase, closers: Closer[]): Promise<Settings> {
  const { sql } = database;
  const clock = await startClock(sql, config.clockOffsetSeconds);
  const [ids, metrics] = [randomIds(), createMetrics()];
  const clockWatch = createClockWatch({ sql, clock, log, redate: async () => void (await repairPollTimes(sql, clock.now())) });
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 });
  const inDataFolder = join(config.dataFolder, "master-key");
  const vault = await loadVault(await findKeyFile({ sql, clock, ids, configured: config.masterKeyFile, inDataFolder }));
  // The feed position is read before the tables, so that a change made meanwhile is applied again, never missed.
  const from = await audited(sql);
  const [directory, catalogue, pricing] = [await loadDirectory(sql, vault), await loadCatalogue(sql), await loadPricing(sql)];
  const changeListeners: Settings["changeListeners"] = [
    accountChanges(vault, directory),
    catalogueChanges(catalogue),
    pricingChanges(pricing),
  ];
  const feed: ChangeFeed = followChanges({
    sql,
    from,
    apply: async (changes) => {
      for (const take of changeListeners) await take(changes);
    },
    onError: (error) => log.warn({ err: error }, "refreshing the settings failed"),
  });
  closers.push(() => feed.close());
  const calls = createCallLog({ sql, log, metrics });
  closers.push(() => calls.close());
  const { ensureFresh } = feed;
  const gate = createGate({ config, database, clock, metrics, directory, ensureFresh, clockFault: clockWatch.fault });
  closers.push(gate.close);
  const checkCallbackUrl = callbackUrlChecker({ allow: config.callbackAllow });
  return {
    sql,
    vault,
    clock,
    ids,
    auth: { sql, vault, clock, ids, realm: "portal" },
    staff: { sql, vault, clock, ids, realm: "console" },
    publicUrl: config.publicUrl,
    // With a separate console port, the public URL does not lead to the console.
    consoleUrl: config.consoleUrl ?? (config.consolePort === null ? config.publicUrl : null),
    refresh: feed.refresh,
    catalogue,
    pricing,
    environmentKey: config.operatorKey,
    providerSecrets: config.providerSecrets,
    checkCallbackUrl,
    egress: egressOf(config),
    log,
    metrics,
    gate,
    calls,
    changeListeners,
    clockWatch,
    databaseHealth: database.health,
  };
}
