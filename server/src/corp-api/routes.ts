import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Route } from "../gate/route.ts";
import type { Clock } from "../kernel/clock.ts";
import { listOperators } from "../services/recharge/list-operators.ts";
import { listServices } from "../services/recharge/list-services.ts";

export type RoutesContext = { readonly catalogue: Catalogue; readonly clock: Clock };

/** Everything the client API answers. */
export function clientRoutes(ctx: RoutesContext): readonly Route[] {
  return [listOperators(ctx), listServices(ctx)];
}
