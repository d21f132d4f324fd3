import type { PortalContext } from "./context.ts";
import type { PortalRoute } from "./route.ts";

/** Every call of the portal, each with the roles that may make it. What is not here does not exist. */
export function portalRoutes(_ctx: PortalContext): readonly PortalRoute[] {
  return [];
}
