import type { GateContext } from "./api/client/gate/gate.ts";
import { type RouteTable, routeTable } from "./api/client/route-table.ts";
import { clientRoutes } from "./api/client/routes.ts";
import { clientApi } from "./api/http/client-api.ts";
import { type HttpServer, listen } from "./api/http/server.ts";
import { buildSite, type SiteContext, startConsolePort, startMetricsPort } from "./api/http/site.ts";
import type { Config } from "./config.ts";
import type { CallLog } from "./domain/api-log/call-log.ts";
import { dummyHash } from "./domain/auth/passwords/passwords.ts";
import type { Catalogue } from "./domain/catalog/catalogue.ts";
import { createOrderSummaryFinder } from "./domain/orders/queries/find-orders.ts";
import { createLimits, type ServicesContext } from "./domain/services/registry.ts";
import type { Vault } from "./platform/crypto/vault.ts";
import type { Sql } from "./platform/db/connection.ts";
import type { Metrics } from "./platform/observability/metrics.ts";
import type { Running } from "./site-context.ts";
import type { OrdersModule } from "./start-orders.ts";

/** What the routes of the client API are built from. */
type ServicesDependencies = {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly metrics: Metrics;
  readonly catalogue: Catalogue;
  readonly orders: Pick<OrdersModule, "context" | "providerRegistry">;
  readonly providerServices: ServicesContext["providerServices"];
};

type Dependencies = {
  readonly config: Pick<Config, "host" | "port" | "consolePort" | "metricsPort">;
  readonly site: SiteContext;
  readonly services: ServicesDependencies;
  readonly gate: GateContext;
  readonly callLog: CallLog;
  /** Receives the ports as soon as they are known. */
  readonly running: Running;
  /** Awaited before the service listens: another server that holds the port can release it. */
  readonly beforeListening: (() => Promise<void>) | undefined;
  /** Each started server adds the function that closes it. */
  readonly closers: (() => unknown)[];
};

const GRACE_MILLISECONDS = 6_000;

/** Serves the client API and the site on the main port, and metrics and console on their own ports if configured. */
export async function startHttp(dependencies: Dependencies): Promise<HttpServer> {
  const { config, site, services, gate, callLog, running, beforeListening, closers } = dependencies;
  const { ids, log, metrics } = site;
  const app = await buildSite(site, { console: config.consolePort === null });
  closers.push(() => app.close());
  await dummyHash();
  const table = clientTable(services);
  await beforeListening?.();
  const server = await listen({
    host: config.host,
    port: config.port,
    clientApi: clientApi({ table, gate, ids, log, metrics, calls: callLog }),
    others: (request, response) => app.routing(request, response),
    ids,
  });
  running.port = server.port;
  closers.push(() => server.close(GRACE_MILLISECONDS));
  await startMetrics(dependencies);
  running.consolePort = (await startConsole(dependencies)) ?? server.port;
  return server;
}

function clientTable({ sql, vault, metrics, catalogue, orders, providerServices }: ServicesDependencies): RouteTable {
  const { context, providerRegistry } = orders;
  const routes = clientRoutes({
    // The services extend the context of orders.
    ...context,
    vault,
    catalogue,
    providerServices,
    health: providerRegistry.health,
    limits: createLimits(sql),
    lookUp: createOrderSummaryFinder(sql, metrics.batches("look-up")),
  });
  return routeTable(routes);
}

async function startMetrics({ config, site, closers }: Dependencies): Promise<void> {
  if (config.metricsPort === null) return;
  const app = await startMetricsPort(site, config.host, config.metricsPort);
  closers.push(() => app.close());
}

async function startConsole({ config, site, closers }: Dependencies): Promise<number | null> {
  if (config.consolePort === null) return null;
  const { port, close } = await startConsolePort(site, config.host, config.consolePort);
  closers.push(close);
  site.log.info({ address: `http://${config.host}:${port}/console` }, "console listening");
  return port;
}
