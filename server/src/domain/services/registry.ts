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

/** Every service's routes. A route may look at its context only inside its handler. */
export function serviceRoutes(ctx: ServicesContext): readonly Route[] {
  return [rechargeRoutes, billsRoutes, transfersRoutes, busRoutes, aepsRoutes].flatMap((routes) => routes(ctx));
}

/** What a transaction may be worth, where the service alone decides that. */
export function createLimits(sql: Sql): RechargeContext["limits"] {
  return async (service) => {
    if (service === "aeps") return AEPS_LIMITS;
    if (service !== "transfers") return null;
    const { minAmount, maxAmount } = await readSettings(sql);
    return { least: minAmount, most: maxAmount };
  };
}

/** What providers do for the signed services beside their transactions, service by service. */
export function createProviderServices(options: ProviderServiceOptions): ServicesContext["providerServices"] {
  return {
    bills: createBillsProviderServices(options),
    transfers: createTransfersProviderServices(options),
    bus: createBusProviderServices(options),
    aeps: createAepsProviderServices(options),
  };
}
