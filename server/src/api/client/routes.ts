import type { Route } from "../../domain/client-api/route.ts";
import { complaintRoutes } from "../../domain/complaints/routes.ts";
import { type ServicesContext, serviceRoutes } from "../../domain/services/registry.ts";

export type RoutesContext = ServicesContext;

/** All routes of the client API. */
export function clientRoutes(ctx: RoutesContext): readonly Route[] {
  return [...serviceRoutes(ctx), ...complaintRoutes(ctx)];
}

// Routes use their context only inside their handlers, which are never called here, so it can be empty.
const NOTHING_BEHIND = {} as RoutesContext;

/** All routes of the client API, for the OpenAPI document. They have no database, clock or settings. */
export function describeRoutes(): readonly Route[] {
  return clientRoutes(NOTHING_BEHIND);
}
