import { complaintRoutes } from "../complaints/routes.ts";
import type { Route } from "../gate/route.ts";
import type { AepsContext } from "../services/aeps/context.ts";
import { aepsRoutes } from "../services/aeps/routes.ts";
import type { BillsContext } from "../services/bills/context.ts";
import { billsRoutes } from "../services/bills/routes.ts";
import type { BusContext } from "../services/bus/context.ts";
import { busRoutes } from "../services/bus/routes.ts";
import type { RechargeContext } from "../services/recharge/context.ts";
import { createRecharge } from "../services/recharge/create-recharge.ts";
import { getBalance } from "../services/recharge/get-balance.ts";
import { getRecharge } from "../services/recharge/get-recharge.ts";
import { listOperators } from "../services/recharge/list-operators.ts";
import { listPlans } from "../services/recharge/list-plans.ts";
import { listServices } from "../services/recharge/list-services.ts";
import { listStatement } from "../services/recharge/list-statement.ts";
import { listTransactions } from "../services/recharge/list-transactions.ts";
import { lookUpNumber } from "../services/recharge/look-up-number.ts";
import type { TransfersContext } from "../services/transfers/context.ts";
import { transfersRoutes } from "../services/transfers/routes.ts";

export type RoutesContext = RechargeContext & BillsContext & TransfersContext & BusContext & AepsContext;

/** Everything the client API answers. */
export function clientRoutes(ctx: RoutesContext): readonly Route[] {
  return [
    createRecharge(ctx),
    getRecharge(ctx),
    getBalance(ctx),
    listOperators(ctx),
    listServices(ctx),
    lookUpNumber(ctx),
    listPlans(ctx),
    listStatement(ctx),
    listTransactions(ctx),
    ...complaintRoutes(ctx),
    ...billsRoutes(ctx),
    ...transfersRoutes(ctx),
    ...busRoutes(ctx),
    ...aepsRoutes(ctx),
  ];
}
