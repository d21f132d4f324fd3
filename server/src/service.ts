import type { Registry } from "prom-client";
import type { HttpServer } from "./api/http/server.ts";
import { staffExecutors } from "./api/operator/approvals/executors.ts";
import type { Config } from "./config.ts";
import { type ConnectedDatabase, connectDatabase } from "./connect-database.ts";
import type { AccountsContext } from "./domain/accounts/context.ts";
import type { ApprovalsContext, Executors } from "./domain/approvals/context.ts";
import { actionExecutors } from "./domain/approvals/executors/action-executors.ts";
import type { AuthContext } from "./domain/auth/context.ts";
import type { Catalogue } from "./domain/catalog/catalogue.ts";
import { listsInUse } from "./domain/providers/lists/lists-in-use.ts";
import { createProviderLists, type ProviderLists } from "./domain/providers/lists/provider-lists.ts";
import type { CancelContext } from "./domain/services/bus/context.ts";
import { createTripStore } from "./domain/services/bus/trip-store.ts";
import { createProviderServices } from "./domain/services/registry.ts";
import { createDemoOnFirstRun } from "./first-run.ts";
import { connect, type Database, type Sql } from "./platform/db/connection.ts";
import { poolSize } from "./platform/db/pool-size.ts";
import { createMailer } from "./platform/mail/mailer.ts";
import type { Log } from "./platform/observability/log.ts";
import { flushOutput } from "./platform/observability/standard-output.ts";
import { consoleUrlOf, createSiteContext, type Running } from "./site-context.ts";
import { startBackgroundJobs } from "./start-background-jobs.ts";
import { startDomain } from "./start-domain.ts";
import { startHttp } from "./start-http.ts";
import type { OrdersModule, WriterTuning } from "./start-orders.ts";
import { startOverview } from "./start-overview.ts";
import { startPlugins } from "./start-plugins.ts";

export type Service = {
  readonly port: number;
  /** Resolves with the reason when the service cannot continue. */
  readonly failed: Promise<string>;
  /** Keeps serving, but each reply closes its connection, and /readyz answers 503 unless other processes serve the port. */
  readonly drain: (port: "closes" | "stays open") => void;
  readonly stop: () => Promise<void>;
};

const LONG_WORK_CONNECTIONS = { alone: 6, least: 2 };
const HOUR_MILLISECONDS = 3_600_000;

type Closer = () => unknown;

export type StartOptions = {
  readonly writer?: WriterTuning;
  /** Awaited before the service listens: another server that holds the port can release it. */
  readonly beforeListening?: () => Promise<void>;
  /** For a process that serves its port together with others. */
  readonly shareMetrics?: (registry: Registry) => () => Promise<string>;
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
    const releasePlugins = await startPlugins(config, log);
    closers.push(releasePlugins);
    const database = await connectDatabase(config, log);
    closers.push(() => database.close());
    const { port, drain } = await startModules(config, log, database, closers, options);
    return {
      port,
      drain: (mainPort) => {
        database.stopping();
        drain(mainPort);
      },
      failed: database.died.then((lastOutput) => `The embedded PostgreSQL exited unexpectedly: ${lastOutput}`),
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
  { writer: writerTuning, beforeListening, shareMetrics }: StartOptions,
): Promise<Pick<Service, "port" | "drain">> {
  const { sql, health: databaseHealth } = database;
  const domain = await startDomain({ config, log, database, closers, writerTuning, shareMetrics });
  const { ids, metrics, callLog, gate, callbacks, egress, orders } = domain;
  const { clock, clockWatch, vault, catalogue, pricing, feed } = domain.settings;
  const { providerRegistry } = orders;
  const { sql: longWork, close: closeLongWork } = connectForLongWork(database, config.processes);
  closers.push(closeLongWork);
  const providerLists = loadProviderLists(config, longWork, orders);
  const providerServices = createProviderServices({
    clock,
    simulatorDelayMilliseconds: config.simulator.delayMilliseconds,
    connectors: providerRegistry.connector,
    lists: (queries, name, input) => providerLists.read(queries.provider, name, input),
    trips: createTripStore(sql),
    orders: orders.context,
  });

  const mail = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log });
  closers.push(() => mail.close());

  const accounts: AccountsContext = { sql, vault, clock, ids, refresh: feed.refresh };
  const members: AuthContext = { sql, vault, clock, ids, realm: "portal" };
  const staff: AuthContext = { sql, vault, clock, ids, realm: "console" };
  const cancellations = { ...orders.context, providerServices };
  const approvals = createApprovals({ accounts, cancellations, catalogue, providerSecrets: config.providerSecrets, log });
  const overview = startOverview({ config, sql: longWork, clock, ids, vault, log, metrics, orders, catalogue, databaseHealth });

  const jobs = { clockWatch, orders, cancellations, members, approvals, overview, callbacks, mail, metrics, longWork, providerLists };
  closers.push(orders.close);
  const signing = { sql: longWork, clock, vault, log, anchor: config.auditAnchorFile };
  closers.push(...(await startBackgroundJobs({ ...jobs, retention: config.retention, asOwner: database.asOwner, signing })));

  const running: Running = { started: false, stopping: false, port: config.port, consolePort: 0 };
  const site = createSiteContext({
    config,
    running,
    databaseHealth,
    clockWatch,
    accounts,
    members,
    staff,
    gate,
    catalogue,
    pricing,
    orders,
    egress,
    providerServices,
    providerLists,
    callbacks,
    approvals,
    overview,
    mail,
    longWork,
    log,
    metrics,
  });
  const services = { sql, vault, metrics, catalogue, orders, providerServices };
  const server = await startHttp({ config, site, services, gate, callLog, running, beforeListening, closers });
  closers.push(overview.close);

  const [mode, consoleUrl] = [providerRegistry.mode(), consoleUrlOf(config)];
  await createDemoOnFirstRun({ accounts, orders: orders.context, members, staff, mode, config, consoleUrl, ports: running, log });
  orders.logMode();
  log.info({ address: `http://${config.host}:${server.port}` }, "listening");
  flushOutput();
  running.started = true;
  return { port: server.port, drain: (mainPort) => startDrain(running, server, mainPort) };
}

/** A separate pool for long jobs (exports, counts, comparisons), so that they cannot starve requests. */
function connectForLongWork({ url, role }: Pick<ConnectedDatabase, "url" | "role">, processes: number): Database {
  return connect({ url, role, connections: poolSize(LONG_WORK_CONNECTIONS, processes), purpose: "long work" });
}

/** The lists of billers, banks, cities and plans of real providers. */
function loadProviderLists({ listHours }: Config, sql: Sql, { context, providerRegistry }: OrdersModule): ProviderLists {
  const { clock, log, stopping } = context;
  return createProviderLists({
    ...{ sql, clock, log, stopping, connector: providerRegistry.connector },
    ageMilliseconds: listHours * HOUR_MILLISECONDS,
    inUse: (stored) => listsInUse(providerRegistry.network(), stored),
  });
}

type ApprovalsDependencies = {
  readonly accounts: AccountsContext;
  readonly cancellations: CancelContext;
  readonly catalogue: Catalogue;
  readonly providerSecrets: Config["providerSecrets"];
  readonly log: Log;
};

/** Approvals with the executors of every kind of approved action. */
function createApprovals({ accounts, cancellations, catalogue, providerSecrets, log }: ApprovalsDependencies): ApprovalsContext {
  const { sql, vault, clock, ids, refresh } = accounts;
  const executors: Executors = {
    ...actionExecutors(cancellations),
    ...staffExecutors({ sql, vault, clock, ids, refresh, catalogue, providerSecrets }),
  };
  return { sql, clock, ids, vault, log, executors };
}

function startDrain(running: Running, server: HttpServer, port: "closes" | "stays open"): void {
  running.stopping = port === "closes";
  server.drain();
}
