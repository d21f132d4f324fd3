import { allowlistRoutes } from "./allowlist-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { callbackRoutes } from "./callback-routes.ts";
import { callbackSettingsRoutes } from "./callback-settings-routes.ts";
import { catalogueRoutes } from "./catalogue-routes.ts";
import { complaintRoutes } from "./complaint-routes.ts";
import type { PortalContext } from "./context.ts";
import { credentialRoutes } from "./credential-routes.ts";
import { homeRoutes } from "./home-routes.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { jobRoutes } from "./job-routes.ts";
import { limitRoutes } from "./limit-routes.ts";
import { logRoutes } from "./log-routes.ts";
import { proofRoutes } from "./proof-routes.ts";
import type { PortalRoute } from "./route.ts";
import { sandboxRoutes } from "./sandbox-routes.ts";
import { securityRoutes } from "./security-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { teamRoutes } from "./team-routes.ts";
import { transactionRoutes } from "./transaction-routes.ts";
import { walletRoutes } from "./wallet-routes.ts";

/** Every call of the portal, each with the roles that may make it. What is not here does not exist. */
export function portalRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    ...sessionRoutes(ctx),
    ...proofRoutes(ctx),
    ...invitationRoutes(ctx),
    ...homeRoutes(ctx),
    ...transactionRoutes(ctx),
    ...complaintRoutes(ctx),
    ...walletRoutes(ctx),
    ...credentialRoutes(ctx),
    ...allowlistRoutes(ctx),
    ...callbackSettingsRoutes(ctx),
    ...callbackRoutes(ctx),
    ...logRoutes(ctx),
    ...limitRoutes(ctx),
    ...catalogueRoutes(ctx),
    ...sandboxRoutes(ctx),
    ...jobRoutes(ctx),
    ...teamRoutes(ctx),
    ...securityRoutes(ctx),
    ...auditRoutes(ctx),
  ];
}
