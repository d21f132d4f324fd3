import type { FastifyPluginAsync } from "fastify";
import { forRoles } from "../../auth/action.ts";
import { AUTH_ACTIONS } from "../../auth/auth-actions.ts";
import type { AuthDependencies, AuthTools } from "../../auth/context.ts";
import { type SiteGateContext, siteApi } from "../../sites/site-api.ts";
import { EVERYBODY } from "../access.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { operatorApi } from "../plugin.ts";
import { authenticateStaff } from "./authenticate-staff.ts";
import type { StaffSession } from "./session.ts";

export type ConsoleContext = AuthTools & SiteGateContext<StaffSession> & Pick<AuthDependencies, "mode">;

/** The console's API, registered under /console/api: sign-in and security actions, and the operator API for staff sessions. */
export function consoleApi(ctx: ConsoleContext, operator: OperatorApiDependencies): FastifyPluginAsync {
  const deps: ConsoleContext & AuthDependencies = { ...ctx, describe: async () => ({}) };
  return async (app) => {
    await app.register(siteApi({ ...ctx, site: "console" }, deps, forRoles<StaffSession>(EVERYBODY, AUTH_ACTIONS)));
    await app.register(operatorApi(operator, authenticateStaff(ctx)));
  };
}
