import { complaintRoutes } from "../complaints/routes.ts";
import type { Route } from "../gate/route.ts";
import { type ServicesContext, serviceRoutes } from "../services/registry.ts";

export type RoutesContext = ServicesContext;

/** Everything the client API answers. */
export function clientRoutes(ctx: RoutesContext): readonly Route[] {
  return [...serviceRoutes(ctx), ...complaintRoutes(ctx)];
}
