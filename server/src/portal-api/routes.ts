import type { PortalContext } from "./context.ts";
import { catalogueRoutes } from "./daily/catalogue-routes.ts";
import { complaintRoutes } from "./daily/complaint-routes.ts";
import { homeRoutes } from "./daily/home-routes.ts";
import { jobRoutes } from "./daily/job-routes.ts";
import { sandboxRoutes } from "./daily/sandbox-routes.ts";
import { transactionRoutes } from "./daily/transaction-routes.ts";
import { walletRoutes } from "./daily/wallet-routes.ts";
import { allowlistRoutes } from "./integration/allowlist-routes.ts";
import { callbackRoutes } from "./integration/callback-routes.ts";
import { callbackSettingsRoutes } from "./integration/callback-settings-routes.ts";
import { credentialRoutes } from "./integration/credential-routes.ts";
import { limitRoutes } from "./integration/limit-routes.ts";
import { logRoutes } from "./integration/log-routes.ts";
import { auditRoutes } from "./members/audit-routes.ts";
import { invitationRoutes } from "./members/invitation-routes.ts";
import { proofRoutes } from "./members/proof-routes.ts";
import { securityRoutes } from "./members/security-routes.ts";
import { sessionRoutes } from "./members/session-routes.ts";
import { teamRoutes } from "./members/team-routes.ts";
import type { PortalRoute } from "./route.ts";

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
