import { answerWhileServed } from "../api/client/answer-while-served.ts";
import type { GateContext } from "../api/client/gate/gate.ts";
import { type RouteTable, routeTable } from "../api/client/route-table.ts";
import { clientRoutes } from "../api/client/routes.ts";
import { clientApi } from "../api/http/client-api.ts";
import { type HttpServer, listen } from "../api/http/server.ts";
import { buildSite, type SiteContext, startConsolePort, startMetricsPort } from "../api/http/site.ts";
import type { Cell } from "../cells/cell.ts";
import { type Cells, callLogOfCells } from "../cells/cells.ts";
import { dummyHash } from "../domain/auth/passwords/passwords.ts";
import type { Catalogue } from "../domain/catalog/catalogue.ts";
import type { Route } from "../domain/client-api/route.ts";
import { createOrderSummaryFinder } from "../domain/orders/queries/find-orders.ts";
import { createLimits } from "../domain/services/registry.ts";
import type { Vault } from "../platform/crypto/vault.ts";
import type { Config } from "../settings/config.ts";
import type { Running } from "./site-context.ts";

type Dependencies = {
  readonly config: Pick<Config, "cells" | "host" | "port" | "consolePort" | "metricsPort">;
  readonly site: SiteContext;
  readonly cells: Cells;
  readonly vault: Vault;
  readonly catalogue: Catalogue;
  readonly gate: GateContext;
  /** Receives the ports as soon as they are known. */
  readonly running: Running;
  /** Awaited before the service listens: another server that holds the port can release it. */
  readonly beforeListening: (() => Promise<void>) | undefined;
  /** Each started server adds the function that closes it. */
  readonly closers: (() => unknown)[];
};

// Requests that then still wait for a provider are answered pending, which needs some time before the connections are closed.
const LAST_REPLIES_MILLISECONDS = 4_500;
const GRACE_MILLISECONDS = 6_000;

/** Serves the client API and the site on the main port, and metrics and console on their own ports if configured. */
export async function startHttp(dependencies: Dependencies): Promise<HttpServer> {
  const { config, site, cells, gate, running, beforeListening, closers } = dependencies;
  const { ids, log, metrics } = site;
  const app = await buildSite(site, { console: config.consolePort === null });
  closers.push(() => app.close());
  await dummyHash();
  const table = clientTable(dependencies, cells.home);
  const several = config.cells.length > 0;
  const calls = several ? callLogOfCells(cells) : cells.home.callLog;
  await beforeListening?.();
  const server = await listen({
    host: config.host,
    port: config.port,
    clientApi: clientApi({
      table,
      gate,
      ids,
      log,
      metrics,
      calls,
      ...(several ? { routeInCell: routesOfCells(dependencies, table) } : {}),
    }),
    others: (request, response) => app.routing(request, response),
    ids,
  });
  running.port = server.port;
  closers.push(() => closeServer(server, cells));
  await startMetrics(dependencies);
  running.consolePort = (await startConsole(dependencies)) ?? server.port;
  return server;
}

async function closeServer(server: HttpServer, cells: Cells): Promise<void> {
  const answerAll = () => {
    for (const { orders } of cells.all()) orders.inProgress.endWaits();
  };
  const timer = setTimeout(answerAll, LAST_REPLIES_MILLISECONDS);
  await server.close(GRACE_MILLISECONDS);
  clearTimeout(timer);
}

function clientTable({ site, vault, catalogue }: Dependencies, { orders, providerServices, seats, database, metrics }: Cell): RouteTable {
  const { sql } = database;
  const routes = clientRoutes({
    // The services extend the context of orders.
    ...orders,
    vault,
    catalogue,
    providerServices,
    seats,
    health: site.portal.health,
    limits: createLimits(sql),
    lookUp: createOrderSummaryFinder(sql, metrics.batches("look-up")),
  });
  return routeTable(routes);
}

/** Each cell has a table of its own; a request is matched with home's and then carried out with the same route of its cell. */
function routesOfCells(dependencies: Dependencies, table: RouteTable): (route: Route, accountId: string) => Route {
  const { cells } = dependencies;
  const positions = new Map(table.routes.map((route, position) => [route, position]));
  const routesOf = new Map<Cell, readonly Route[]>();
  return (route, accountId) => {
    const cell = cells.ofAccount(accountId);
    const own = routesOf.get(cell) ?? routesWhileServed(cell === cells.home ? table : clientTable(dependencies, cell), cell);
    routesOf.set(cell, own);
    return own[positions.get(route) ?? -1] ?? route;
  };
}

function routesWhileServed({ routes }: RouteTable, { database }: Cell): readonly Route[] {
  return routes.map((route) => answerWhileServed(route, database.sql));
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
