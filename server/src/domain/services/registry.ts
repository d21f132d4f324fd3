import type { Sql } from "../../platform/db/connection.ts";
import type { Route } from "../client-api/route.ts";
import { SIMULATOR } from "../providers/routing/routing.ts";
import { AEPS_LIMITS } from "./aeps/amount.ts";
import { SERVICE as AEPS, type AepsContext } from "./aeps/context.ts";
import { aepsRoutes } from "./aeps/routes.ts";
import { SIMULATED_AEPS } from "./aeps/simulator/simulated-aeps.ts";
import { SERVICE as BILLS, type BillsContext } from "./bills/context.ts";
import { billsRoutes } from "./bills/routes.ts";
import { simulatedBills } from "./bills/simulator/simulated-bills.ts";
import { SERVICE as BUS, type BusContext } from "./bus/context.ts";
import { busRoutes } from "./bus/routes.ts";
import { simulatedBus } from "./bus/simulator/simulated-bus.ts";
import { type Limits, SERVICE as RECHARGE, type RechargeContext } from "./recharge/context.ts";
import { rechargeRoutes } from "./recharge/routes.ts";
import type { ProviderServiceOptions } from "./signed/provider-services.ts";
import { SERVICE as TRANSFERS, type TransfersContext } from "./transfers/context.ts";
import { transfersRoutes } from "./transfers/routes.ts";
import { readLimits } from "./transfers/settings-store.ts";
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

/** The providers' queries for the signed services, by service and provider. */
export function createProviderServices(options: ProviderServiceOptions): ServicesContext["providerServices"] {
  return {
    bills: { [SIMULATOR]: simulatedBills(options) },
    transfers: { [SIMULATOR]: simulatedTransfers() },
    bus: { [SIMULATOR]: simulatedBus() },
    aeps: { [SIMULATOR]: SIMULATED_AEPS },
  };
}
