import type { GateContext } from "./api/client/gate/gate.ts";
import type { SiteContext } from "./api/http/site.ts";
import type { ConsoleContext } from "./api/operator/console/plugin.ts";
import { staffSessions } from "./api/operator/console/session.ts";
import type { OperatorApiDependencies } from "./api/operator/dependencies.ts";
import type { PortalContext } from "./api/portal/context.ts";
import { portalSessions } from "./api/portal/session.ts";
import type { Config } from "./config.ts";
import type { AccountsContext } from "./domain/accounts/context.ts";
import type { ApprovalsContext } from "./domain/approvals/context.ts";
import type { AuthContext } from "./domain/auth/context.ts";
import { callbackUrlChecker } from "./domain/callbacks/callback-url.ts";
import type { Callbacks } from "./domain/callbacks/start-callbacks.ts";
import type { Catalogue } from "./domain/catalog/catalogue.ts";
import type { Pricing } from "./domain/pricing/pricing.ts";
import type { Egress } from "./domain/providers/wire/exchange.ts";
import { createLimits } from "./domain/services/registry.ts";
import type { Sql } from "./platform/db/connection.ts";
import type { ClockWatch } from "./platform/db/database-clock.ts";
import type { DatabaseHealth } from "./platform/db/health.ts";
import type { Mailer } from "./platform/mail/mailer.ts";
import type { Log } from "./platform/observability/log.ts";
import type { Metrics } from "./platform/observability/metrics.ts";
import type { OrdersModule } from "./start-orders.ts";
import type { OverviewModule } from "./start-overview.ts";

/** State of the service that becomes known while it starts. */
export type Running = { started: boolean; stopping: boolean; port: number; consolePort: number };

type Dependencies = {
  readonly config: Pick<
    Config,
    "publicUrl" | "consoleUrl" | "consolePort" | "trustedProxies" | "operatorKey" | "providerSecrets" | "mode" | "callbackAllow"
  >;
  readonly running: Running;
  readonly databaseHealth: DatabaseHealth;
  readonly clockWatch: ClockWatch;
  readonly accounts: AccountsContext;
  /** Users of the portal. */
  readonly members: AuthContext;
  /** Users of the console. */
  readonly staff: AuthContext;
  readonly gate: Pick<GateContext, "accountById">;
  readonly catalogue: Catalogue;
  readonly pricing: Pricing;
  readonly orders: OrdersModule;
  readonly egress: Egress;
  readonly providerServices: OperatorApiDependencies["providerServices"];
  readonly providerLists: OperatorApiDependencies["providerLists"];
  readonly callbacks: Callbacks;
  readonly approvals: ApprovalsContext;
  readonly overview: OverviewModule;
  readonly mail: Mailer;
  readonly longWork: Sql;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** Builds the context of the portal, the console and the operator API. */
export function createSiteContext(dependencies: Dependencies): SiteContext {
  const { config, running, accounts, orders } = dependencies;
  const checkCallbackUrl = callbackUrlChecker({ allow: config.callbackAllow });
  return {
    operator: operatorDependencies(dependencies, checkCallbackUrl),
    portal: portalContext(dependencies, checkCallbackUrl),
    console: consoleContext(dependencies),
    providerCallbacks: orders,
    ids: accounts.ids,
    log: dependencies.log,
    metrics: dependencies.metrics,
    databaseHealth: dependencies.databaseHealth,
    clockWatch: dependencies.clockWatch,
    isStarted: () => running.started,
    isStopping: () => running.stopping,
  };
}

function operatorDependencies(
  dependencies: Dependencies,
  checkCallbackUrl: OperatorApiDependencies["checkCallbackUrl"],
): OperatorApiDependencies {
  const { config, running, accounts, orders, overview } = dependencies;
  return {
    sql: accounts.sql,
    vault: accounts.vault,
    clock: accounts.clock,
    ids: accounts.ids,
    refresh: accounts.refresh,
    auth: dependencies.members,
    staff: dependencies.staff,
    catalogue: dependencies.catalogue,
    pricing: dependencies.pricing,
    orders: orders.context,
    providerRegistry: orders.providerRegistry,
    providerServices: dependencies.providerServices,
    providerLists: dependencies.providerLists,
    providerSecrets: config.providerSecrets,
    modeSetting: config.mode,
    egress: dependencies.egress,
    callbacks: dependencies.callbacks,
    checkCallbackUrl,
    approvals: dependencies.approvals,
    overview: overview.overview,
    viewers: overview.viewers,
    environmentKey: config.operatorKey,
    publicUrl: config.publicUrl,
    consoleUrl: consoleUrlOf(config),
    ports: () => (config.consolePort === null ? null : { portal: running.port, console: running.consolePort }),
    longWork: dependencies.longWork,
    databaseHealth: dependencies.databaseHealth,
    log: dependencies.log,
  };
}

function portalContext(dependencies: Dependencies, checkCallbackUrl: PortalContext["checkCallbackUrl"]): PortalContext {
  const { config, accounts, members, orders } = dependencies;
  return {
    sql: accounts.sql,
    vault: accounts.vault,
    clock: accounts.clock,
    ids: accounts.ids,
    refresh: accounts.refresh,
    auth: members,
    findSession: portalSessions(members),
    accountById: dependencies.gate.accountById,
    catalogue: dependencies.catalogue,
    limits: createLimits(accounts.sql),
    orders: orders.context,
    mode: orders.providerRegistry.mode,
    health: orders.providerRegistry.health,
    callbacks: dependencies.callbacks,
    checkCallbackUrl,
    mail: dependencies.mail,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    databaseHealth: dependencies.databaseHealth,
    log: dependencies.log,
  };
}

function consoleContext({ config, accounts, staff, orders, mail, databaseHealth, log }: Dependencies): ConsoleContext {
  return {
    clock: accounts.clock,
    auth: staff,
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
