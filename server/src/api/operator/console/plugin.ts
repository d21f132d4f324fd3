import type { FastifyPluginAsync } from "fastify";
import type { AuthApiContext, AuthTools } from "../../auth/context.ts";
import { invitationRoutes } from "../../auth/invitation-routes.ts";
import { proofRoutes } from "../../auth/proof-routes.ts";
import { securityRoutes } from "../../auth/security-routes.ts";
import { sessionRoutes } from "../../auth/session-routes.ts";
import type { SiteRoute } from "../../sites/route.ts";
import { type SiteGateContext, siteApi } from "../../sites/site-api.ts";
import { EVERYBODY } from "../access.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { operatorApi } from "../plugin.ts";
import { authenticateStaff } from "./authenticate-staff.ts";
import type { StaffSession } from "./session.ts";

export type ConsoleContext = AuthTools & SiteGateContext<StaffSession> & Pick<AuthApiContext<StaffSession>, "mode">;

/** The console's API, registered under /console/api: sign-in and security routes, and the operator API for staff sessions. */
export function consoleApi(ctx: ConsoleContext, operator: OperatorApiDependencies): FastifyPluginAsync {
  return async (app) => {
    await app.register(siteApi({ ...ctx, site: "console" }, staffRoutes(ctx)));
    await app.register(operatorApi(operator, authenticateStaff(ctx)));
  };
}

/** Sign-in and security routes of staff. */
export function staffRoutes(ctx: ConsoleContext): readonly SiteRoute<StaffSession>[] {
  const authContext: AuthApiContext<StaffSession> = { ...ctx, everybody: EVERYBODY, describe: async () => ({}) };
  return [...sessionRoutes(authContext), ...proofRoutes(authContext), ...invitationRoutes(authContext), ...securityRoutes(authContext)];
}
