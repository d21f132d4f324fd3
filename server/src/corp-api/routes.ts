import type { Route } from "../gate/route.ts";
import type { RechargeContext } from "../services/recharge/context.ts";
import { createRecharge } from "../services/recharge/create-recharge.ts";
import { getBalance } from "../services/recharge/get-balance.ts";
import { getRecharge } from "../services/recharge/get-recharge.ts";
import { listOperators } from "../services/recharge/list-operators.ts";
import { listServices } from "../services/recharge/list-services.ts";

export type RoutesContext = RechargeContext;

/** Everything the client API answers. */
export function clientRoutes(ctx: RoutesContext): readonly Route[] {
  return [createRecharge(ctx), getRecharge(ctx), getBalance(ctx), listOperators(ctx), listServices(ctx)];
}
