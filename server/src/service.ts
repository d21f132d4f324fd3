import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { GateContext } from "./api/client/gate/gate.ts";
import { type RouteTable, routeTable } from "./api/client/route-table.ts";
import { clientRoutes } from "./api/client/routes.ts";
import { clientApi } from "./api/http/client-api.ts";
import { type HttpServer, listen } from "./api/http/server.ts";
import { buildSite, openConsolePort, openMetricsPort, type SiteContext } from "./api/http/site.ts";
import { staffExecutors } from "./api/operator/approvals/executors.ts";
import { openStaffWork } from "./api/operator/tasks/staff-work.ts";
import { openChores } from "./api/portal/tasks/chores.ts";
import type { Config } from "./config.ts";
import { loadDirectory } from "./domain/accounts/directory.ts";
import { accountChanges } from "./domain/accounts/take-changes.ts";
import { openCallLog } from "./domain/api-log/call-log.ts";
import { ownExecutors } from "./domain/approvals/executors/own.ts";
import { approvalsChore } from "./domain/approvals/look-after.ts";
import { audited, type ChangeFeed, followChanges } from "./domain/audit/feed.ts";
import { nobodysHash } from "./domain/auth/passwords.ts";
import { callbackUrlChecker } from "./domain/callbacks/callback-url.ts";
import { openCallbacks } from "./domain/callbacks/open-callbacks.ts";
import { callbackChanges } from "./domain/callbacks/take-changes.ts";
import { catalogueChanges, loadCatalogue } from "./domain/catalog/catalogue.ts";
import { createLookUp } from "./domain/orders/look-up.ts";
import { redateWatches } from "./domain/orders/watch-store.ts";
import type { Writer } from "./domain/orders/writer.ts";
import { commercialChanges, loadCommercials } from "./domain/pricing/commercials.ts";
import { openDesks, openLimits } from "./domain/services/registry.ts";
import { openFirstRun } from "./first-run.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { type OpenedDatabase, openDatabase } from "./open-database.ts";
import { openGate } from "./open-gate.ts";
import { egressOf, type OrdersRoom, openOrdersRoom, type WriterTuning } from "./open-orders-room.ts";
import { openOverviewRoom } from "./open-overview-room.ts";
import { randomIds } from "./platform/core/ids.ts";
import { findKeyFile } from "./platform/crypto/find-key-file.ts";
import { openVault } from "./platform/crypto/vault.ts";
import { connect } from "./platform/db/connection.ts";
import { createClockWatch, startClock } from "./platform/db/database-clock.ts";
import { openMailer } from "./platform/mail/mailer.ts";
import type { Log } from "./platform/observability/log.ts";
import { openMetrics } from "./platform/observability/metrics.ts";
import { flushOutput } from "./platform/observability/output.ts";
import { type Running, type Settings, siteContextOf } from "./site-context.ts";

export type Service = {
  readonly port: number;
  /** Resolves, with the reason, when the service cannot go on. */
  readonly failed: Promise<string>;
  /** Goes on serving, but says at /readyz that it is about to stop; replies end their connections. */
  readonly drain: () => void;
  readonly stop: () => Promise<void>;
};

const GRACE_MILLISECONDS = 6_000;
// What counts, exports and compares has its own, so that it cannot take all of those that requests need.
const LONG_WORK_CONNECTIONS = 6;

type Closer = () => Promise<unknown> | unknown;

export type StartOptions = {
  readonly writer?: WriterTuning;
  /** Awaited before the port is opened: whoever answers there until then gives it up. */
  readonly beforeListening?: () => Promise<void>;
};

/** Opens the modules in order; what was opened is closed in reverse, also when a later one fails. */
export async function startService(config: Config, log: Log, options: StartOptions = {}): Promise<Service> {
  const closers: Closer[] = [];
  const closeAll = async () => {
    for (const close of closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        // Without a database, for example; the others close all the same.
        log.warn({ err: error }, "a part of the service did not close in order");
      }
    }
  };
  try {
    const database = await openDatabase(config, log);
    closers.push(() => database.close());
    const { port, drain } = await openRooms(config, log, database, closers, options);
    return {
      port,
      drain: () => {
        database.stopping();
        drain();
      },
      failed: database.died.then((lastWords) => `The embedded PostgreSQL ended by itself: ${lastWords}`),
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

async function openRooms(
  config: Config,
  log: Log,
  database: OpenedDatabase,
  closers: Closer[],
  { writer, beforeListening }: StartOptions,
): Promise<Pick<Service, "port" | "drain">> {
  const ctx = await openSettings(config, log, database, closers);
  const processId = ctx.ids.entry(ctx.clock.now());
  const callbacks = await openCallbacks({ ...ctx, processId, allow: config.callbackAllow });
  closers.push(() => callbacks.close());
  const isSandbox = (accountId: string) => ctx.gate.accountById(accountId)?.sandbox ?? false;
  const orders = await openOrdersRoom({ ...ctx, processId, config, database, wakeCallbacks: callbacks.wake, isSandbox, writer });
  database.stalls.push(orders.ctx.writer.stalledMilliseconds, ctx.gate.desk.stalledMilliseconds);
  followWriter(ctx.gate, orders.ctx.writer);
  ctx.takers.push(orders.takeChanges, callbackChanges(callbacks, log));
  const desks = openDesks({ clock: ctx.clock, simulatorDelayMilliseconds: config.simulator.delayMilliseconds });
  const mail = openMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log });
  closers.push(() => mail.close());
  const longWork = connect({ url: database.url, role: database.role, connections: LONG_WORK_CONNECTIONS, purpose: "long work" });
  closers.push(() => longWork.close());
  const { sql } = longWork;
  const chores = openChores({ ...ctx, sql, mail, callbacks });
  const running: Running = { started: false, stopping: false, port: config.port, consolePort: 0 };
  const approvals = { ...ctx, executors: { ...ownExecutors({ ...orders.ctx, desks }), ...staffExecutors(ctx) } };
  const overview = openOverviewRoom({ ...ctx, sql, config, processId, upstreams: orders.upstreams });
  const siteContext = siteContextOf(
    config,
    { ...ctx, ...overview, longWork: sql, mail, desks, approvals, callbacks, upstream: orders },
    running,
  );
  const staffWork = openStaffWork({ ...siteContext, sql });
  const repeated = [ctx.clockWatch.job, ...orders.jobs, ...chores.chores, ...staffWork.chores, ...overview.chores];
  repeated.push(approvalsChore(approvals, ctx.metrics));
  closers.push(
    orders.close,
    chores.close,
    staffWork.close,
    await startHousekeeping({ ...orders.ctx, desks, longWork: sql, people: ctx.people, board: overview.board }, ctx.metrics, repeated),
  );
  const site = await buildSite(siteContext, { console: config.consolePort === null });
  closers.push(() => site.close());
  await nobodysHash();
  const table = clientTable(ctx, orders, desks);
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
  if (config.metricsPort !== null) {
    const metricsSite = await openMetricsPort({ ...ctx, log }, config.host, config.metricsPort);
    closers.push(() => metricsSite.close());
  }
  running.consolePort = (await openConsole(config, siteContext, closers)) ?? server.port;
  closers.push(overview.close);
  const { host, dataFolder } = config;
  await openFirstRun({ ...ctx, ...running, orders: orders.ctx, mode: orders.upstreams.mode(), host, dataFolder });
  orders.tellMode();
  log.info({ address: `http://${config.host}:${server.port}` }, "listening");
  flushOutput();
  running.started = true;
  return { port: server.port, drain: () => startDrain(running, server) };
}

function clientTable(ctx: Settings, orders: OrdersRoom, desks: ReturnType<typeof openDesks>): RouteTable {
  const { sql, catalogue, vault } = ctx;
  const lookUp = createLookUp(sql, ctx.metrics.batches("look-up"));
  const { health } = orders.upstreams;
  return routeTable(clientRoutes({ ...orders.ctx, catalogue, vault, desks, limits: openLimits(sql), lookUp, health }));
}

/** An order is written twice, when it is accepted and when it ends; those at the gate before it will be, too. */
function followWriter({ congestion, desk }: GateContext, writer: Writer): void {
  congestion.follow((accountId) => 2 * writer.waitSeconds(accountId, desk.ahead(accountId)), "POST");
}

function startDrain(running: Running, server: HttpServer): void {
  running.stopping = true;
  server.drain();
}

async function openConsole(config: Config, ctx: SiteContext, closers: Closer[]): Promise<number | null> {
  if (config.consolePort === null) return null;
  const own = await openConsolePort(ctx, config.host, config.consolePort);
  closers.push(own.close);
  ctx.log.info({ address: `http://${config.host}:${own.port}/console` }, "the console listens");
  return own.port;
}

/** Loads what requests are decided by, and keeps it in step with the database. */
async function openSettings(config: Config, log: Log, database: OpenedDatabase, closers: Closer[]): Promise<Settings> {
  const { sql } = database;
  const clock = await startClock(sql, config.clockOffsetSeconds);
  const [ids, metrics] = [randomIds(), openMetrics()];
  const clockWatch = createClockWatch({ sql, clock, log, redate: async () => void (await redateWatches(sql, clock.now())) });
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 });
  const inDataFolder = join(config.dataFolder, "master-key");
  const vault = await openVault(await findKeyFile({ sql, clock, ids, configured: config.masterKeyFile, inDataFolder }));
  // Read before the tables: what changes meanwhile is taken in again, never missed.
  const from = await audited(sql);
  const [directory, catalogue, commercials] = [await loadDirectory(sql, vault), await loadCatalogue(sql), await loadCommercials(sql)];
  const takers: Settings["takers"] = [accountChanges(vault, directory), catalogueChanges(catalogue), commercialChanges(commercials)];
  const feed: ChangeFeed = followChanges({
    sql,
    from,
    apply: async (changes) => {
      for (const take of takers) await take(changes);
    },
    onError: (error) => log.warn({ err: error }, "the settings could not be refreshed"),
  });
  closers.push(() => feed.close());
  const calls = openCallLog({ sql, log, metrics });
  closers.push(() => calls.close());
  const { ensureFresh } = feed;
  const gate = openGate({ config, database, clock, metrics, directory, ensureFresh, clockFault: clockWatch.fault });
  closers.push(gate.close);
  const checkCallbackUrl = callbackUrlChecker({ allow: config.callbackAllow });
  return {
    sql,
    vault,
    clock,
    ids,
    people: { sql, vault, clock, ids, realm: "portal" },
    staff: { sql, vault, clock, ids, realm: "console" },
    publicUrl: config.publicUrl,
    // On a port of its own it is reached another way than the rest.
    consoleUrl: config.consoleUrl ?? (config.consolePort === null ? config.publicUrl : null),
    refresh: feed.refresh,
    catalogue,
    commercials,
    environmentKey: config.operatorKey,
    providerSecrets: config.providerSecrets,
    checkCallbackUrl,
    egress: egressOf(config),
    log,
    metrics,
    gate,
    calls,
    takers,
    clockWatch,
    databaseHealth: database.health,
  };
}
