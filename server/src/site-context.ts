import type { GateContext } from "./api/client/gate/gate.ts";
import type { SiteContext } from "./api/http/site.ts";
import { staffSessions } from "./api/operator/console/session.ts";
import { portalSessions } from "./api/portal/session.ts";
import type { Config } from "./config.ts";
import type { CallLog } from "./domain/api-log/call-log.ts";
import type { Change } from "./domain/audit/feed.ts";
import type { Callbacks } from "./domain/callbacks/start-callbacks.ts";
import { createLimits } from "./domain/services/registry.ts";
import type { Mailer } from "./platform/mail/mailer.ts";
import type { OrdersModule } from "./start-orders.ts";

/** The settings that decide requests, kept up to date by the change feed. */
export type Settings = Omit<
  SiteContext,
  | "approvals"
  | "console"
  | "providerServices"
  | "isStarted"
  | "isStopping"
  | "orders"
  | "portal"
  | "overview"
  | "ports"
  | "providerCallbacks"
  | "providerRegistry"
  | "viewers"
> & {
  readonly gate: GateContext;
  readonly calls: CallLog;
  /** Caches that are updated by the change feed. */
  readonly changeListeners: ((changes: readonly Change[]) => Promise<void>)[];
};

/** State of the service that becomes known while it starts. */
export type Running = { started: boolean; stopping: boolean; port: number; consolePort: number };
type SiteModules = Settings &
  Pick<SiteContext, "approvals" | "providerServices" | "longWork" | "overview" | "viewers"> & {
    readonly callbacks: Callbacks;
    readonly mail: Mailer;
    readonly orders: OrdersModule;
  };

/** Builds the context of the portal, the console and the operator API. */
export function siteContextOf(config: Config, modules: SiteModules, running: Running): SiteContext {
  const { trustedProxies, consolePort } = config;
  const orders = modules.orders.ctx;
  const { providerRegistry } = modules.orders;
  return {
    ...modules,
    orders,
    providerRegistry,
    providerCallbacks: modules.orders,
    modeSetting: config.mode,
    portal: {
      ...modules,
      orders,
      mode: providerRegistry.mode,
      accountById: modules.gate.accountById,
      health: providerRegistry.health,
      limits: createLimits(modules.sql),
      trustedProxies,
      findSession: portalSessions(modules.auth),
    },
    console: {
      ...modules,
      mode: providerRegistry.mode,
      auth: modules.staff,
      publicUrl: modules.consoleUrl,
      trustedProxies,
      findSession: staffSessions(modules.staff),
    },
    ports: () => (consolePort === null ? null : { portal: running.port, console: running.consolePort }),
    isStarted: () => running.started,
    isStopping: () => running.stopping,
  };
}
