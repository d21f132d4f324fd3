import { missingOperations } from "@corprail/connector";
import type { Sql } from "../../platform/db/connection.ts";
import type { Route } from "../client-api/route.ts";
import type { Connector } from "../providers/connector.ts";
import type { ProviderReferences } from "../providers/references.ts";
import { SIMULATOR } from "../providers/routing/routing.ts";
import { connectedAeps } from "./aeps/connected-aeps.ts";
import { SERVICE as AEPS, type AepsContext } from "./aeps/context.ts";
import { aepsRoutes } from "./aeps/routes.ts";
import { SIMULATED_AEPS } from "./aeps/simulator/simulated-aeps.ts";
import { AEPS_LIMITS } from "./aeps/transactions/amount.ts";
import { connectedBills } from "./bills/connected-bills.ts";
import { SERVICE as BILLS, type BillsContext } from "./bills/context.ts";
import { billsRoutes } from "./bills/routes.ts";
import { simulatedBills } from "./bills/simulator/simulated-bills.ts";
import { connectedBus } from "./bus/connected-bus.ts";
import { SERVICE as BUS, type BusContext } from "./bus/context.ts";
import { busRoutes } from "./bus/routes.ts";
import { simulatedBus } from "./bus/simulator/simulated-bus.ts";
import type { TripStore } from "./bus/trips/trip-store.ts";
import { connectedRecharge } from "./recharge/connected-recharge.ts";
import { type Limits, SERVICE as RECHARGE, type RechargeContext } from "./recharge/context.ts";
import { SIMULATED_RECHARGE } from "./recharge/provider-service.ts";
import { rechargeRoutes } from "./recharge/routes.ts";
import type { ProviderLists } from "./signed/provider-lists.ts";
import { type ProviderQueries, providerQueries } from "./signed/provider-queries.ts";
import type { ProviderServiceOptions, ProviderServices } from "./signed/provider-services.ts";
import { connectedTransfers } from "./transfers/connected-transfers.ts";
import { SERVICE as TRANSFERS, type TransfersContext } from "./transfers/context.ts";
import { transfersRoutes } from "./transfers/routes.ts";
import { readLimits } from "./transfers/settings/settings-store.ts";
import { simulatedTransfers } from "./transfers/simulator/simulated-transfers.ts";

export type ServicesContext = RechargeContext & BillsContext & TransfersContext & BusContext & AepsContext;

type RegisteredService = {
  readonly routes: (ctx: ServicesContext) => readonly Route[];
  /** Amount limits, if they depend on the service alone. */
  readonly limits?: (sql: Sql) => Promise<Limits>;
};

const SERVICES: ReadonlyMap<string, RegisteredService> = new Map<string, RegisteredService>([
  [RECHARGE, { routes: rechargeRoutes }],
  [BILLS, { routes: billsRoutes }],
  [TRANSFERS, { routes: transfersRoutes, limits: readLimits }],
  [BUS, { routes: busRoutes }],
  [AEPS, { routes: aepsRoutes, limits: async () => AEPS_LIMITS }],
]);

/** The routes of all services. A route may use its context only inside its handler. */
export function serviceRoutes(ctx: ServicesContext): readonly Route[] {
  return [...SERVICES.values()].flatMap(({ routes }) => routes(ctx));
}

/** Amount limits, for services where they depend on the service alone. */
export function createLimits(sql: Sql): RechargeContext["limits"] {
  return async (service) => (await SERVICES.get(service)?.limits?.(sql)) ?? null;
}

export type ProviderServicesOptions = ProviderServiceOptions & {
  readonly connectors: ConnectorFinder;
  readonly lists: ProviderLists;
  readonly trips: TripStore;
  readonly orders: {
    readonly references: Pick<ProviderReferences, "allocate">;
    /** Aborts when the process stops. */
    readonly stopping: AbortSignal;
  };
};

/** Finds the connector of a provider that is running; null otherwise. */
export type ConnectorFinder = (provider: string) => Connector | null;

/** The providers' queries of all services: the simulator's own, and those of every connector that has them. */
export function createProviderServices(options: ProviderServicesOptions): ServicesContext["providerServices"] {
  const { lists, trips } = options;
  return {
    recharge: finder(options, RECHARGE, SIMULATED_RECHARGE, (queries) => connectedRecharge(queries, lists)),
    bills: finder(options, BILLS, simulatedBills(options), (queries) => connectedBills(queries, lists)),
    transfers: finder(options, TRANSFERS, simulatedTransfers(), (queries) => connectedTransfers(queries, lists)),
    bus: finder(options, BUS, simulatedBus(), (queries) => connectedBus(queries, lists, trips)),
    aeps: finder(options, AEPS, SIMULATED_AEPS, (queries) => connectedAeps(queries, lists)),
  };
}

function finder<Service>(
  { connectors, orders }: ProviderServicesOptions,
  service: string,
  simulated: Service,
  connected: (queries: ProviderQueries) => Service,
): ProviderServices<Service> {
  return (provider) => {
    if (provider === SIMULATOR) return simulated;
    const connector = connectors(provider);
    if (!connector || missingOperations(service, connector.operations).length > 0) return undefined;
    return connected(providerQueries({ provider, connector, references: orders.references, stopping: orders.stopping }));
  };
}
