import type { Sql } from "../../platform/db/connection.ts";
import type { Route } from "../client-api/route.ts";
import { AEPS_LIMITS } from "./aeps/amount.ts";
import type { AepsContext } from "./aeps/context.ts";
import { openAepsDesks } from "./aeps/open-desks.ts";
import { aepsRoutes } from "./aeps/routes.ts";
import type { BillsContext } from "./bills/context.ts";
import { openBillsDesks } from "./bills/open-desks.ts";
import { billsRoutes } from "./bills/routes.ts";
import type { BusContext } from "./bus/context.ts";
import { openBusDesks } from "./bus/open-desks.ts";
import { busRoutes } from "./bus/routes.ts";
import type { RechargeContext } from "./recharge/context.ts";
import { rechargeRoutes } from "./recharge/routes.ts";
import type { DeskOptions } from "./signed/desks.ts";
import type { TransfersContext } from "./transfers/context.ts";
import { openTransfersDesks } from "./transfers/open-desks.ts";
import { transfersRoutes } from "./transfers/routes.ts";
import { readSettings } from "./transfers/settings-store.ts";

export type ServicesContext = RechargeContext & BillsContext & TransfersContext & BusContext & AepsContext;

/** Every service's routes. A route may look at its context only inside its handler. */
export function serviceRoutes(ctx: ServicesContext): readonly Route[] {
  return [rechargeRoutes, billsRoutes, transfersRoutes, busRoutes, aepsRoutes].flatMap((routes) => routes(ctx));
}

/** What a transaction may be worth, where the service alone decides that. */
export function openLimits(sql: Sql): RechargeContext["limits"] {
  return async (service) => {
    if (service === "aeps") return AEPS_LIMITS;
    if (service !== "transfers") return null;
    const { minAmount, maxAmount } = await readSettings(sql);
    return { least: minAmount, most: maxAmount };
  };
}

/** What providers do for the signed services beside their transactions, service by service. */
export function openDesks(options: DeskOptions): ServicesContext["desks"] {
  return {
    bills: openBillsDesks(options),
    transfers: openTransfersDesks(options),
    bus: openBusDesks(options),
    aeps: openAepsDesks(options),
  };
}
