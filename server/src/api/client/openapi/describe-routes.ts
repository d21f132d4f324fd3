import type { Route } from "../../../domain/client-api/route.ts";
import { clientRoutes, type RoutesContext } from "../routes.ts";

// Handlers are never called here, and a route may look at its context only inside its handler:
// so nothing has to stand behind it, whatever the context comes to hold.
const NOTHING_BEHIND = {} as RoutesContext;

/** Every route of the client API, to be described: no database, no clock, no settings. */
export function describeRoutes(): readonly Route[] {
  return clientRoutes(NOTHING_BEHIND);
}
