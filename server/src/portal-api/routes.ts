import { auditRoutes } from "./audit-routes.ts";
import type { PortalContext } from "./context.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { proofRoutes } from "./proof-routes.ts";
import type { PortalRoute } from "./route.ts";
import { securityRoutes } from "./security-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { teamRoutes } from "./team-routes.ts";

/** Every call of the portal, each with the roles that may make it. What is not here does not exist. */
export function portalRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    ...sessionRoutes(ctx),
    ...proofRoutes(ctx),
    ...invitationRoutes(ctx),
    ...securityRoutes(ctx),
    ...teamRoutes(ctx),
    ...auditRoutes(ctx),
  ];
}
