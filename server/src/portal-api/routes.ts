import { catalogueRoutes } from "./catalogue-routes.ts";
import { complaintRoutes } from "./complaint-routes.ts";
import type { PortalContext } from "./context.ts";
import { homeRoutes } from "./home-routes.ts";
import { jobRoutes } from "./job-routes.ts";
import type { PortalRoute } from "./route.ts";
import { sandboxRoutes } from "./sandbox-routes.ts";
import { transactionRoutes } from "./transaction-routes.ts";
import { walletRoutes } from "./wallet-routes.ts";

/** Every call of the portal, each with the roles that may make it. What is not here does not exist. */
export function portalRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    ...homeRoutes(ctx),
    ...transactionRoutes(ctx),
    ...complaintRoutes(ctx),
    ...walletRoutes(ctx),
    ...catalogueRoutes(ctx),
    ...sandboxRoutes(ctx),
    ...jobRoutes(ctx),
  ];
}
