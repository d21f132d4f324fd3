import { type AdmissionBatcher, createAdmissionBatcher } from "../api/client/gate/admission.ts";
import { createCongestion } from "../api/client/gate/congestion.ts";
import type { GateContext } from "../api/client/gate/gate.ts";
import { admissionOfCells, type Cells, directoryOfCells, freshnessOfCells, healthOfCells } from "../cells/cells.ts";
import type { AccountCells } from "../domain/cells/account-cells.ts";
import type { Clock } from "../platform/core/clock.ts";
import { connect } from "../platform/db/connection.ts";
import type { ClockWatch } from "../platform/db/database-clock.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { ConnectedDatabase } from "./connect-database.ts";

type AdmissionDependencies = {
  readonly database: Pick<ConnectedDatabase, "url" | "role" | "sql" | "stalls">;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "batches">;
};

/** Creates the admission of a cell with its own connection, so that admission batches never wait for other statements. */
export function createAdmission({ database, clock, metrics }: AdmissionDependencies): {
  readonly admission: AdmissionBatcher;
  readonly close: () => Promise<void>;
} {
  const { sql, close } = connect({ url: database.url, role: database.role, connections: 1, purpose: "batches" });
  const admission = createAdmissionBatcher(sql, clock, metrics.batches("gate"), database.sql);
  database.stalls.push(admission.stalledMilliseconds);
  return { admission, close };
}

type Dependencies = Pick<GateContext, "trustedProxies"> & {
  readonly clock: Clock;
  readonly clockWatch: Pick<ClockWatch, "fault">;
  readonly metrics: Pick<Metrics, "gauge">;
  readonly cells: Cells;
  /** Null if home is the only cell. */
  readonly accountCells: AccountCells | null;
};

/** Creates the gate. With several cells, each part of it asks for the account's cell. */
export function createGate({ trustedProxies, clock, clockWatch, metrics, cells, accountCells }: Dependencies): GateContext {
  const { home } = cells;
  const directory = accountCells === null ? home.directory : directoryOfCells(cells, accountCells);
  const admission = accountCells === null ? home.admission : admissionOfCells(cells);
  const congestion = createCongestion();
  congestion.follow(admission.waitSeconds);
  const writerOf = (accountId: string) => (accountCells === null ? home : cells.ofAccount(accountId)).orders.writer;
  // Counted twice, because each order is written when it is accepted and again when it settles.
  congestion.follow((accountId) => 2 * writerOf(accountId).waitSeconds(accountId, admission.ahead(accountId)), "POST");
  metrics.gauge("corprail_requests_under_way", "Client API requests of known accounts that are not answered yet.", congestion.underWay);
  const isAway = home.database.health.isAway;
  return {
    isDatabaseAway: accountCells === null ? isAway : healthOfCells(cells).isAway,
    isAccountAway: accountCells === null ? isAway : (accountId) => cells.find(accountId)?.database.health.isAway() ?? true,
    clock,
    findToken: directory.findToken,
    accountById: directory.byId,
    ensureFresh: home.feed.ensureFresh,
    ...(accountCells === null ? {} : { ensureFreshFor: freshnessOfCells(cells, directory) }),
    admission,
    congestion,
    trustedProxies,
    clockFault: clockWatch.fault,
  };
}
