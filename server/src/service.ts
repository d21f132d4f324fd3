import type { Registry } from "prom-client";
import type { HttpServer } from "./api/http/server.ts";
import type { Cell } from "./cells/cell.ts";
import { type Cells, healthOfCells } from "./cells/cells.ts";
import { type Home, startHome } from "./cells/home-cell.ts";
import { measureCells } from "./cells/measure-cells.ts";
import { mirrorJob } from "./cells/mirror-settings.ts";
import { startCells } from "./cells/start-cells.ts";
import { readNames } from "./domain/accounts/read-names.ts";
import type { AuthContext } from "./domain/auth/context.ts";
import { deregisterProcess } from "./domain/orders/recovery/heartbeat.ts";
import { watchDueWork } from "./jobs/watch-due-work.ts";
import type { Activity } from "./platform/core/activity.ts";
import { createMailer, type Mailer } from "./platform/mail/mailer.ts";
import { createCellMetrics } from "./platform/observability/cell-metrics.ts";
import type { Log } from "./platform/observability/log.ts";
import type { Metrics } from "./platform/observability/metrics.ts";
import { flushOutput } from "./platform/observability/standard-output.ts";
import type { Config } from "./settings/config.ts";
import { type ConnectedDatabase, connectDatabase } from "./start/connect-database.ts";
import { createGate } from "./start/create-gate.ts";
import type { EarlyDatabase } from "./start/early-database.ts";
import { createDemo, isFirstRunPending } from "./start/first-run.ts";
import { consoleUrlOf, createSiteContext, type Running } from "./start/site-context.ts";
import { startCellJobs, startHomeJobs } from "./start/start-background-jobs.ts";
import { type Domain, startDomain } from "./start/start-domain.ts";
import { startHttp } from "./start/start-http.ts";
import { startOidc } from "./start/start-oidc.ts";
import { longestPoll, type WriterTuning } from "./start/start-orders.ts";
import { type OverviewModule, startOverview } from "./start/start-overview.ts";
import { startPlugins } from "./start/start-plugins.ts";
import { startTraces } from "./start/start-traces.ts";

export type Service = {
  readonly port: number;
  /** Resolves with the reason when the service cannot continue. */
  readonly failed: Promise<string>;
  /** Keeps serving, but each reply closes its connection, and /readyz answers 503 unless other processes serve the port. */
  readonly drain: (port: "closes" | "stays open") => void;
  readonly stop: () => Promise<void>;
};

type Closer = () => unknown;

export type StartOptions = {
  /** The embedded PostgreSQL; null if the settings name a database. */
  readonly database: EarlyDatabase | null;
  readonly writer?: WriterTuning;
  /** Awaited before the service listens: another server that holds the port can release it. */
  readonly beforeListening?: () => Promise<void>;
  /** For a process that serves its port together with others. */
  readonly shareMetrics?: (registry: Registry) => () => Promise<string>;
};

/** Starts the modules in order. They are closed in reverse order, also if a later one fails to start. */
export async function startService(config: Config, log: Log, options: StartOptions): Promise<Service> {
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
  let database: ConnectedDatabase | null = null;
  try {
    const releasePlugins = await startPlugins(config, log);
    closers.push(releasePlugins);
    const connected = await connectDatabase(config, log, options.database);
    database = connected;
    closers.push(() => connected.close());
    const { port, drain } = await startModules(config, log, connected, closers, options);
    return {
      port,
      drain: (mainPort) => {
        connected.stopping();
        drain(mainPort);
      },
      failed: connected.died.then((lastOutput) => `The embedded PostgreSQL exited unexpectedly: ${lastOutput}`),
      stop: () => {
        connected.stopping();
        return closeAll();
      },
    };
  } catch (error) {
    database?.stopping();
    await closeAll();
    await options.database?.discard();
    throw error;
  }
}

async function startModules(
  config: Config,
  log: Log,
  database: ConnectedDatabase,
  closers: Closer[],
  { writer: writerTuning, beforeListening, shareMetrics }: StartOptions,
): Promise<Pick<Service, "port" | "drain">> {
  let cells: Cells | null = null;
  const otherCells = () => (cells?.all() ?? []).slice(1).map(({ orders }) => orders);
  const domain = await startDomain({ config, log, database, closers, writerTuning, shareMetrics, otherCells });
  const { activity, ids, egress, orders } = domain;
  const metrics = noteRequests(domain.metrics, activity);
  await startTraces({ config, metrics, log, closers });
  const { sql } = database;
  const { clock, clockWatch, vault, catalogue, pricing } = domain.settings;
  const home = await startHome({ config, log, database, domain, closers });
  const { accountCells, providerLists, sqlOf } = home;
  cells = home.cells;
  const mail = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log });
  closers.push(() => mail.close());
  const databaseHealth = config.cells.length === 0 ? database.health : healthOfCells(cells);
  const members: AuthContext = { sql, vault, clock, ids, realm: "portal", sqlOf };
  const staff: AuthContext = { sql, vault, clock, ids, realm: "console", sqlOf };
  const oidc = startOidc({ config, clock, mode: orders.providerRegistry.mode, closers });
  const { longWork } = cells.home;
  const overview = startOverview({
    config,
    activity,
    cells,
    sql: longWork,
    clock,
    ids,
    vault,
    log,
    metrics,
    orders,
    catalogue,
    databaseHealth,
  });

  // When no order is in progress any more.
  closers.push(() => deregisterProcess(orders.context));
  closers.push(orders.close);
  await startJobsAndCells({ config, log, domain, home, members, overview, mail, writerTuning, closers });

  const gate = createGate({
    ...{ trustedProxies: config.trustedProxies, clock, clockWatch, metrics, cells },
    accountCells: config.cells.length === 0 ? null : accountCells,
  });
  const isFirstRun = await isFirstRunPending(sql);
  // A worker that replaces another one shares its port, and is ready with the first request that reaches it.
  const running: Running = { started: !isFirstRun, stopping: false, port: config.port, consolePort: 0 };
  const site = createSiteContext({
    ...{ config, running, cells, databaseHealth, clockWatch, members, staff, gate, catalogue, pricing },
    ...{ orders, egress, oidc, providerLists, overview, mail, log, metrics },
  });
  const server = await startHttp({ config, site, cells, vault, catalogue, gate, running, beforeListening, closers });
  closers.push(overview.close);

  const mode = orders.providerRegistry.mode();
  const consoleUrl = consoleUrlOf(config);
  const { accounts } = cells.home;
  if (isFirstRun) await createDemo({ accounts, orders: orders.context, members, staff, mode, config, consoleUrl, ports: running, log });
  orders.logMode();
  log.info({ address: `http://${config.host}:${server.port}` }, "listening");
  flushOutput();
  running.started = true;
  return { port: server.port, drain: (mainPort) => startDrain(running, server, mainPort) };
}

type JobsDependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly domain: Domain;
  readonly home: Home;
  readonly members: AuthContext;
  readonly overview: OverviewModule;
  readonly mail: Mailer;
  readonly writerTuning: WriterTuning | undefined;
  readonly closers: Closer[];
};

/** Starts the background jobs of the installation and of home, and then the other cells with theirs. */
async function startJobsAndCells(dependencies: JobsDependencies): Promise<void> {
  const { config, log, domain, home, members, overview, mail, writerTuning, closers } = dependencies;
  const { cells, accountCells, services, providerLists, sqlOf } = home;
  const { activity, orders, metrics, settings } = domain;
  const { catalogue } = settings;
  const { providerRegistry } = orders;
  const accountName = async (accountId: string) => {
    // Another process may have made the account a moment ago.
    if (config.cells.length > 0) await accountCells.reload([accountId]);
    return (await readNames(sqlOf(accountId), [accountId])).get(accountId) ?? null;
  };
  const jobs = {
    ...{
      activity,
      usersSql: cells.home.database.sql,
      accountName,
      providerRegistry,
      overview,
      mail,
      retention: config.retention,
      clockFault: settings.clockWatch.fault,
      anchor: config.auditAnchorFile,
    },
    longestPoll: () => longestPoll(providerRegistry),
  };
  const hasCells = config.cells.length > 0;
  const ofHome = { orders, members, providerLists, cells, hasCells, catalogue, archive: config.archive };
  closers.push(...(await startHomeJobs({ ...jobs, clockWatch: settings.clockWatch, ...ofHome })));
  closers.push(...(await startCellJobs(jobs, cells.home)));
  if (hasCells) {
    const startJobs = (cell: Cell) => startCellJobs(jobs, cell, mirrorJob(cells.home, cell));
    const metricsOf = createCellMetrics(metrics);
    closers.push(await startCells({ config, log, domain, cells, accountCells, services, metricsOf, writerTuning, startJobs }));
    const numbers = config.cells.map(({ cell }) => cell);
    measureCells(metrics, cells, numbers);
  }
  activity.stayActiveWhile(() =>
    cells.all().some(({ callbacks: { inFlight }, orders: { inProgress } }) => inFlight() + inProgress.size() > 0),
  );
  // After the cells, because it must end before they close.
  closers.push(watchDueWork({ activity, cells: cells.all, clock: settings.clock, log }));
}

// Load balancers and scrapers ask all the time.
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** Every answered request is activity, so that what it has queued is found at once. */
function noteRequests(metrics: Metrics, activity: Pick<Activity, "note">): Metrics {
  return {
    ...metrics,
    request: (method, route, status, seconds) => {
      if (!PROBES.has(route)) activity.note();
      metrics.request(method, route, status, seconds);
    },
  };
}

function startDrain(running: Running, server: HttpServer, port: "closes" | "stays open"): void {
  running.stopping = port === "closes";
  server.drain();
}
