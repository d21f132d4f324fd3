import type { Sql } from "../../platform/db/connection.ts";
import type { Route } from "../client-api/route.ts";
import { AEPS_LIMITS } from "./aeps/amount.ts";
import type { AepsContext } from "./aeps/context.ts";
import { createAepsProviderServices } from "./aeps/provider-services.ts";
import { aepsRoutes } from "./aeps/routes.ts";
import type { BillsContext } from "./bills/context.ts";
import { createBillsProviderServices } from "./bills/provider-services.ts";
import { billsRoutes } from "./bills/routes.ts";
import type { BusContext } from "./bus/context.ts";
import { createBusProviderServices } from "./bus/provider-services.ts";
import { busRoutes } from "./bus/routes.ts";
import type { RechargeContext } from "./recharge/context.ts";
import { rechargeRoutes } from "./recharge/routes.ts";
import type { ProviderServiceOptions } from "./signed/provider-services.ts";
import type { TransfersContext } from "./transfers/context.ts";
import { createTransfersProviderServices } from "./transfers/provider-services.ts";
import { transfersRoutes } from "./transfers/routes.ts";
import { readSettings } from "./transfers/settings-store.ts";

export type ServicesContext = RechargeContext & BillsContext & TransfersContext & BusContext & AepsContext;

/** The routes of all services. A route may use its context only inside its handler. */
export function serviceRoutes(ctx: ServicesContext): readonly Route[] {
  return [rechargeRoutes, billsRoutes, transfersRoutes, busRoutes, aepsRoutes].flatMap((routes) => routes(ctx));
}

/** Amount limits, for services where they depend on the service alone. */
export function createLimits(sql: Sql): RechargeContext["limits"] {
  return async (service) => {
    if (service === "aeps") return AEPS_LIMITS;
    if (service !== "transfers") return null;
    const { minAmount, maxAmount } = await readSettings(sql);
    return { least: minAmount, most: maxAmount };
  };
}

/** The providers' queries for the signed services, by service. */
export function createProviderServices(options: ProviderServiceOptions): ServicesContext["providerServices"] {
  return {
    bills: createBillsProviderServices(options),
    transfers: createTransfersProviderServices(options),
    bus: createBusProviderServices(options),
    aeps: createAepsProviderServices(options),
  };
}
