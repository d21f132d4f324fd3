import type { Route } from "../../domain/client-api/route.ts";
import { complaintRoutes } from "../../domain/complaints/routes.ts";
import { type ServicesContext, serviceRoutes } from "../../domain/services/registry.ts";

export type RoutesContext = ServicesContext;

/** All routes of the client API. */
export function clientRoutes(ctx: RoutesContext): readonly Route[] {
  return [...serviceRoutes(ctx), ...complaintRoutes(ctx)];
}
