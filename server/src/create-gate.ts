import { createAdmissionBatcher } from "./api/client/gate/admission.ts";
import { createCongestion } from "./api/client/gate/congestion.ts";
import type { GateContext } from "./api/client/gate/gate.ts";
import type { Config } from "./config.ts";
import type { ConnectedDatabase } from "./connect-database.ts";
import type { AccountDirectory } from "./domain/accounts/directory.ts";
import type { Clock } from "./platform/core/clock.ts";
import { connect } from "./platform/db/connection.ts";
import type { Metrics } from "./platform/observability/metrics.ts";

export type GateOptions = {
  readonly config: Pick<Config, "trustedProxies">;
  readonly database: Pick<ConnectedDatabase, "url" | "role" | "sql" | "health">;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly directory: AccountDirectory;
  readonly ensureFresh: GateContext["ensureFresh"];
  readonly clockFault: () => string | null;
};

/** Creates the gate with its own database connection, so that admission batches never wait for other statements. */
export function createGate(options: GateOptions): GateContext & { readonly close: () => Promise<void> } {
  const { config, database, clock, metrics, directory } = options;
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
    ensureFresh: options.ensureFresh,
    admission,
    congestion,
    trustedProxies: config.trustedProxies,
    clockFault: options.clockFault,
    close,
  };
}
