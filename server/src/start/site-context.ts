import type { GateContext } from "../api/client/gate/gate.ts";
import type { SiteContext } from "../api/http/site.ts";
import type { ConsoleContext } from "../api/operator/console/plugin.ts";
import { staffSessions } from "../api/operator/console/session.ts";
import type { OperatorApiDependencies } from "../api/operator/dependencies.ts";
import type { PortalContext } from "../api/portal/context.ts";
import { portalSessions } from "../api/portal/session.ts";
import type { Cell } from "../cells/cell.ts";
import type { Cells } from "../cells/cells.ts";
import { mirrorSettings } from "../cells/mirror-settings.ts";
import { readMovingAccounts } from "../domain/accounts/moving-accounts.ts";
import type { AuthContext } from "../domain/auth/context.ts";
import type { Oidc } from "../domain/auth/single-sign-on/oidc.ts";
import { callbackUrlChecker } from "../domain/callbacks/callback-url.ts";
import type { Catalogue } from "../domain/catalog/catalogue.ts";
import type { Pricing } from "../domain/pricing/pricing.ts";
import type { Egress } from "../domain/providers/wire/exchange.ts";
import { createLimits } from "../domain/services/registry.ts";
import { createStatusReader } from "../domain/status/snapshot.ts";
import type { ClockWatch } from "../platform/db/database-clock.ts";
import type { DatabaseHealth } from "../platform/db/servers/health.ts";
import type { Mailer } from "../platform/mail/mailer.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { Config } from "../settings/config.ts";
import type { OrdersModule } from "./start-orders.ts";
import type { OverviewModule } from "./start-overview.ts";

/** State of the service that becomes known while it starts. */
export type Running = { started: boolean; stopping: boolean; port: number; consolePort: number };

type Dependencies = {
  readonly config: Pick<
    Config,
    "cells" | "publicUrl" | "consoleUrl" | "consolePort" | "trustedProxies" | "operatorKey" | "providerSecrets" | "mode" | "callbackAllow"
  >;
  readonly running: Running;
  readonly databaseHealth: Pick<DatabaseHealth, "isAway" | "trouble" | "confirm">;
  readonly clockWatch: ClockWatch;
  readonly cells: Cells;
  /** Users of the portal. */
  readonly members: AuthContext;
  /** Users of the console. */
  readonly staff: AuthContext;
  readonly gate: Pick<GateContext, "accountById">;
  readonly catalogue: Catalogue;
  readonly pricing: Pricing;
  readonly orders: OrdersModule;
  readonly egress: Egress;
  readonly oidc: Oidc;
  readonly providerLists: OperatorApiDependencies["providerLists"];
  readonly overview: OverviewModule;
  readonly mail: Mailer;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** Builds the context of the portal, the console and the operator API. */
export function createSiteContext(dependencies: Dependencies): SiteContext {
  const { config, running, cells, orders } = dependencies;
  const checkCallbackUrl = callbackUrlChecker({ allow: config.callbackAllow });
  return {
    operator: operatorOfCells(dependencies, checkCallbackUrl),
    portal: portalOfCells(dependencies, checkCallbackUrl),
    console: consoleContext(dependencies),
    providerCallbacks: orders,
    ids: cells.home.accounts.ids,
    log: dependencies.log,
    metrics: dependencies.metrics,
    databaseHealth: dependencies.databaseHealth,
    clockWatch: dependencies.clockWatch,
    isStarted: () => running.started,
    isStopping: () => running.stopping,
  };
}

type CheckUrl = OperatorApiDependencies["checkCallbackUrl"];

/** Home's dependencies. With several cells they lead to those of the others, which differ in what is the cell's own. */
function operatorOfCells(dependencies: Dependencies, checkCallbackUrl: CheckUrl): OperatorApiDependencies {
  const { cells, config } = dependencies;
  const home = operatorDependencies(dependencies, cells.home, checkCallbackUrl);
  if (config.cells.length === 0) return home;
  const made = new Map<Cell, OperatorApiDependencies>([[cells.home, home]]);
  const of = (cell: Cell): OperatorApiDependencies => {
    const known = made.get(cell) ?? operatorDependencies(dependencies, cell, checkCallbackUrl);
    made.set(cell, known);
    return known;
  };
  const mirrored = async (cell: Cell) => {
    if (cell !== cells.home) await mirrorSettings(cells.home.database.sql, cell.database.sql);
  };
  return Object.assign(home, {
    cells: {
      all: () => cells.all().map(of),
      missing: () => cells.troubles().map(([cell]) => cell),
      ofAccount: (accountId) => of(cells.ofAccount(accountId)),
      isReadIn: (deps, accountId) => [deps.sql, undefined].includes(cells.find(accountId)?.database.sql),
      ofId: (id) => cells.ofId(id).map(of),
      moving: () => readMovingAccounts(cells.home.database.sql),
      forNewAccount: () => of(cells.forNewAccount()),
      prepareChange: async (deps) => {
        const cell = cells.all().find((one) => one.database.sql === deps.sql);
        if (cell) await mirrored(cell);
      },
    },
  } satisfies Pick<OperatorApiDependencies, "cells">);
}

function operatorDependencies(dependencies: Dependencies, cell: Cell, checkCallbackUrl: CheckUrl): OperatorApiDependencies {
  const { config, running, orders, overview } = dependencies;
  return {
    ...cell.accounts,
    auth: dependencies.members,
    staff: dependencies.staff,
    oidc: dependencies.oidc,
    catalogue: dependencies.catalogue,
    pricing: dependencies.pricing,
    orders: cell.orders,
    providerRegistry: orders.providerRegistry,
    providerServices: cell.providerServices,
    seats: cell.seats,
    providerLists: dependencies.providerLists,
    providerSecrets: config.providerSecrets,
    modeSetting: config.mode,
    egress: dependencies.egress,
    callbacks: cell.callbacks,
    checkCallbackUrl,
    approvals: cell.approvals,
    overview: overview.overview,
    viewers: overview.viewers,
    downloads: overview.downloads,
    environmentKey: config.operatorKey,
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    consoleUrl: consoleUrlOf(config),
    ports: () => (config.consolePort === null ? null : { portal: running.port, console: running.consolePort }),
    longWork: cell.longWork,
    replica: cell.replica,
    databaseHealth: dependencies.databaseHealth,
    log: dependencies.log,
  };
}

function portalOfCells(dependencies: Dependencies, checkCallbackUrl: CheckUrl): PortalContext {
  const { cells, config } = dependencies;
  const home = portalContext(dependencies, cells.home, checkCallbackUrl);
  if (config.cells.length === 0) return home;
  return { ...home, inCell: (accountId) => portalContext(dependencies, cells.ofAccount(accountId), checkCallbackUrl) };
}

const statusReaders = new WeakMap<Dependencies, PortalContext["readStatus"]>();

/** The contexts of all cells share one reader, which reads at home. */
function statusReaderOf(dependencies: Dependencies): PortalContext["readStatus"] {
  const { cells, catalogue, orders } = dependencies;
  const { sql } = cells.home.database;
  const { clock } = cells.home.accounts;
  const reader =
    statusReaders.get(dependencies) ?? createStatusReader({ sql, clock, catalogue, providerRegistry: orders.providerRegistry });
  statusReaders.set(dependencies, reader);
  return reader;
}

function portalContext(dependencies: Dependencies, cell: Cell, checkCallbackUrl: CheckUrl): PortalContext {
  const { config, members, orders } = dependencies;
  return {
    ...cell.accounts,
    auth: members,
    oidc: dependencies.oidc,
    findSession: portalSessions(members),
    longWork: cell.longWork,
    accountById: dependencies.gate.accountById,
    catalogue: dependencies.catalogue,
    limits: createLimits(cell.database.sql),
    orders: cell.orders,
    mode: orders.providerRegistry.mode,
    health: orders.providerRegistry.health,
    readStatus: statusReaderOf(dependencies),
    callbacks: cell.callbacks,
    checkCallbackUrl,
    mail: dependencies.mail,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    databaseHealth: dependencies.databaseHealth,
    log: dependencies.log,
  };
}

function consoleContext({ config, cells, staff, oidc, orders, mail, databaseHealth, log }: Dependencies): ConsoleContext {
  return {
    clock: cells.home.accounts.clock,
    auth: staff,
    oidc,
    findSession: staffSessions(staff),
    mode: orders.providerRegistry.mode,
    mail,
    publicUrl: consoleUrlOf(config),
    trustedProxies: config.trustedProxies,
    databaseHealth,
    log,
  };
}

/** The address at which browsers reach the console. With a separate console port, the public URL does not lead to it. */
export function consoleUrlOf({
  publicUrl,
  consoleUrl,
  consolePort,
}: Pick<Config, "publicUrl" | "consoleUrl" | "consolePort">): string | null {
  return consoleUrl ?? (consolePort === null ? publicUrl : null);
}
