import type { GateContext } from "./api/client/gate/gate.ts";
import type { SiteContext } from "./api/http/site.ts";
import { staffSessions } from "./api/operator/console/session.ts";
import { portalSessions } from "./api/portal/session.ts";
import type { Config } from "./config.ts";
import type { CallLog } from "./domain/api-log/call-log.ts";
import type { Change } from "./domain/audit/feed.ts";
import type { Callbacks } from "./domain/callbacks/open-callbacks.ts";
import { openLimits } from "./domain/services/registry.ts";
import type { OrdersRoom } from "./open-orders-room.ts";
import type { Mailer } from "./platform/mail/mailer.ts";

/** What requests are decided by, and what keeps it in step with the database. */
export type Settings = Omit<
  SiteContext,
  | "approvals"
  | "console"
  | "desks"
  | "isStarted"
  | "isStopping"
  | "orders"
  | "portal"
  | "overview"
  | "ports"
  | "upstream"
  | "upstreams"
  | "viewers"
> & {
  readonly gate: GateContext;
  readonly calls: CallLog;
  /** Whatever keeps something in memory that the change feed tells of. */
  readonly takers: ((changes: readonly Change[]) => Promise<void>)[];
};

/** What becomes known while the service opens. */
export type Running = { started: boolean; stopping: boolean; port: number; consolePort: number };
type SiteRooms = Settings &
  Pick<SiteContext, "approvals" | "desks" | "longWork" | "overview" | "viewers"> & {
    readonly callbacks: Callbacks;
    readonly mail: Mailer;
    readonly upstream: OrdersRoom;
  };

/** What portal, console and operator API work with. */
export function siteContextOf(config: Config, rooms: SiteRooms, running: Running): SiteContext {
  const { trustedProxies, consolePort } = config;
  const orders = rooms.upstream.ctx;
  return {
    ...rooms,
    orders,
    upstreams: rooms.upstream.upstreams,
    modeSetting: config.mode,
    portal: {
      ...rooms,
      orders,
      mode: rooms.upstream.upstreams.mode,
      accountById: rooms.gate.accountById,
      health: rooms.upstream.upstreams.health,
      limits: openLimits(rooms.sql),
      trustedProxies,
      findSession: portalSessions(rooms.people),
    },
    console: {
      ...rooms,
      mode: rooms.upstream.upstreams.mode,
      people: rooms.staff,
      publicUrl: rooms.consoleUrl,
      trustedProxies,
      findSession: staffSessions(rooms.staff),
    },
    ports: () => (consolePort === null ? null : { portal: running.port, console: running.consolePort }),
    isStarted: () => running.started,
    isStopping: () => running.stopping,
  };
}
