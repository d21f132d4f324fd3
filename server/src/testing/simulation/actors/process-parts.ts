import { createAdmissionBatcher } from "../../../api/client/gate/admission.ts";
import { createCongestion } from "../../../api/client/gate/congestion.ts";
import type { GateContext } from "../../../api/client/gate/gate.ts";
import type { AccountDirectory } from "../../../domain/accounts/directory.ts";
import type { ChangeFeed } from "../../../domain/audit/feed.ts";
import { createAttemptRecords } from "../../../domain/orders/attempts/attempt-records.ts";
import type { OrdersContext, Reach } from "../../../domain/orders/context.ts";
import { createOrdersInProgress } from "../../../domain/orders/orders-in-progress.ts";
import { createWriter, type Writer } from "../../../domain/orders/write/writer.ts";
import { pricingOf } from "../../../domain/pricing/pricing.ts";
import type { Connector } from "../../../domain/providers/connector.ts";
import { createProviderBalances } from "../../../domain/providers/health/balances.ts";
import { createProviderReferences } from "../../../domain/providers/references.ts";
import type { RechargeContext } from "../../../domain/services/recharge/context.ts";
import { storedDetailsReader } from "../../../domain/services/stored-details.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { connect, type Database } from "../../../platform/db/connection.ts";
import type { Dial } from "../../../platform/db/servers/probe-servers.ts";
import type { Log } from "../../../platform/observability/log.ts";

const ROLE = "corprail_app";
const CONNECTIONS = 4;
const REPLY_WAIT_MILLISECONDS = 5_000;

export type Pools = { readonly requests: Database; readonly writer: Database; readonly gate: Database };

let processes = 0;

/** The connections of one process, as connect-database.ts, start-orders.ts and create-gate.ts make them. */
export function connectPools(dialFor: (pool: keyof Pools) => Dial): Pools {
  // One watchdog serves all pools of an address, so every process needs an address of its own.
  const url = `postgres://simulated:5432/corprail?process=${++processes}`;
  const pool = (name: keyof Pools, connections: number) =>
    connect({ url, role: ROLE, connections, purpose: name === "requests" ? "requests" : "batches", dial: dialFor(name) });
  return { requests: pool("requests", CONNECTIONS), writer: pool("writer", 1), gate: pool("gate", 1) };
}

type OrdersParts = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly processId: string;
  readonly wakeCallbacks: () => void;
  readonly providers: Readonly<Record<string, Connector>>;
};

const EVERYTHING: Reach = { own: new Map(), takes: () => true };

/** As start-orders.ts builds it, with simulated providers instead of those in the database. */
export function createOrdersContext(pools: Pools, { providers, ...parts }: OrdersParts): OrdersContext {
  const { sql } = pools.requests;
  const { clock, log, processId } = parts;
  const attempts = createAttemptRecords({ sql, log });
  return {
    ...parts,
    sql,
    writer: createWriter({ connection: pools.writer.sql, sql, clock, processId, log, writeEvidence: attempts.write }),
    inProgress: createOrdersInProgress(),
    attempts,
    balances: createProviderBalances({ sql }),
    providerRegistry: {
      providersFor: ({ accepts = () => true }) => Object.keys(providers).filter(accepts),
      reach: () => EVERYTHING,
      serves: () => true,
      mayServe: () => true,
      isBarred: () => false,
      connector: (provider) => providers[provider] ?? null,
      versionFor: () => null,
      secretsChangedAt: () => null,
      noteOutcome: () => {},
    },
    references: createProviderReferences(sql, clock),
    readStoredDetails: storedDetailsReader(sql),
    isSandbox: () => false,
    pricing: pricingOf([]),
    otherCells: () => [],
    stopping: new AbortController().signal,
    replyWaitMilliseconds: REPLY_WAIT_MILLISECONDS,
  };
}

type GateParts = {
  readonly clock: Clock;
  readonly directory: AccountDirectory;
  readonly feed: Pick<ChangeFeed, "ensureFresh">;
  readonly clockFault: () => string | null;
};

/** As create-gate.ts and start-domain.ts build it. */
export function createGateContext(pools: Pools, writer: Writer, { clock, directory, feed, clockFault }: GateParts): GateContext {
  const admission = createAdmissionBatcher(pools.gate.sql, clock, undefined, pools.requests.sql);
  const congestion = createCongestion();
  congestion.follow(admission.waitSeconds);
  congestion.follow((accountId) => 2 * writer.waitSeconds(accountId, admission.ahead(accountId)), "POST");
  return {
    clock,
    clockFault,
    findToken: directory.findToken,
    accountById: directory.byId,
    ensureFresh: feed.ensureFresh,
    admission,
    congestion,
    trustedProxies: [],
  };
}

const missing = (what: string) => () => {
  throw new Error(`The simulation has no ${what}.`);
};

/** Parts of the recharge routes that no simulated request reaches. */
export const NOT_SIMULATED: Pick<RechargeContext, "limits" | "health" | "providerServices"> = {
  limits: missing("limits of other services"),
  health: missing("health of operators"),
  providerServices: { recharge: () => undefined },
};
