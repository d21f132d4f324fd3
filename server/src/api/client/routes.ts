import type { Route } from "../../domain/client-api/route.ts";
import { complaintRoutes } from "../../domain/complaints/routes.ts";
import { type ServicesContext, serviceRoutes } from "../../domain/services/registry.ts";

export type RoutesContext = ServicesContext;

/** Everything the client API answers. */
export function clientRoutes(ctx: RoutesContext): readonly Route[] {
  return [...serviceRoutes(ctx), ...complaintRoutes(ctx)];
}
