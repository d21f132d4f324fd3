import { allowlistRoutes } from "./allowlist-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { callbackRoutes } from "./callback-routes.ts";
import { callbackSettingsRoutes } from "./callback-settings-routes.ts";
import type { PortalContext } from "./context.ts";
import { credentialRoutes } from "./credential-routes.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { limitRoutes } from "./limit-routes.ts";
import { logRoutes } from "./log-routes.ts";
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
    ...credentialRoutes(ctx),
    ...allowlistRoutes(ctx),
    ...callbackSettingsRoutes(ctx),
    ...callbackRoutes(ctx),
    ...logRoutes(ctx),
    ...limitRoutes(ctx),
    ...teamRoutes(ctx),
    ...securityRoutes(ctx),
    ...auditRoutes(ctx),
  ];
}
