import type { Route } from "../../../domain/client-api/route.ts";
import { clientRoutes, type RoutesContext } from "../routes.ts";

// Routes use their context only inside their handlers, which are never called here, so it can be empty.
const NOTHING_BEHIND = {} as RoutesContext;

/** All routes of the client API, for the OpenAPI document. They have no database, clock or settings. */
export function describeRoutes(): readonly Route[] {
  return clientRoutes(NOTHING_BEHIND);
}
