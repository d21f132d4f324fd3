import { createAdmissionBatcher } from "./api/client/gate/admission.ts";
import { createCongestion } from "./api/client/gate/congestion.ts";
import type { GateContext } from "./api/client/gate/gate.ts";
import type { ConnectedDatabase } from "./connect-database.ts";
import type { AccountDirectory } from "./domain/accounts/directory.ts";
import type { ChangeFeed } from "./domain/audit/feed.ts";
import type { Clock } from "./platform/core/clock.ts";
import { connect } from "./platform/db/connection.ts";
import type { ClockWatch } from "./platform/db/database-clock.ts";
import type { Metrics } from "./platform/observability/metrics.ts";

type Dependencies = Pick<GateContext, "trustedProxies"> & {
  readonly database: Pick<ConnectedDatabase, "url" | "role" | "sql" | "health">;
  readonly clock: Clock;
  readonly clockWatch: Pick<ClockWatch, "fault">;
  readonly metrics: Pick<Metrics, "batches" | "gauge">;
  readonly directory: AccountDirectory;
  readonly feed: Pick<ChangeFeed, "ensureFresh">;
};

/** Creates the gate with its own database connection, so that admission batches never wait for other statements. */
export function createGate(dependencies: Dependencies): GateContext & { readonly close: () => Promise<void> } {
  const { trustedProxies, database, clock, clockWatch, metrics, directory, feed } = dependencies;
  const { sql, close } = connect({ url: database.url, role: database.role, connections: 1, purpose: "batches" });
  const admission = createAdmissionBatcher(sql, clock, metrics.batches("gate"), database.sql);
  const congestion = createCongestion();
  congestion.follow(admission.waitSeconds);
  metrics.gauge("corprail_requests_under_way", "Client API requests of known accounts that are not answered yet.", congestion.underWay);
  return {
    isDatabaseAway: database.health.isAway,
    clock,
    accountByToken: directory.byToken,
    accountById: directory.byId,
    ensureFresh: feed.ensureFresh,
    admission,
    congestion,
    trustedProxies,
    clockFault: clockWatch.fault,
    close,
  };
}
