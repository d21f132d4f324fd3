import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { personActor } from "../../../domain/auth/record.ts";
import type { AuthApiContext, AuthTools } from "../../auth/context.ts";
import { invitationRoutes } from "../../auth/invitation-routes.ts";
import { proofRoutes } from "../../auth/proof-routes.ts";
import { securityRoutes } from "../../auth/security-routes.ts";
import { sessionRoutes } from "../../auth/session-routes.ts";
import { originOf } from "../../sites/origin.ts";
import type { SiteRoute } from "../../sites/route.ts";
import { isSame, refuse, type SiteGateContext, sessionOf, siteApi } from "../../sites/site-api.ts";
import { refusalOf } from "../../sites/site-gate.ts";
import { EVERYBODY } from "../access.ts";
import type { Authenticate } from "../authenticate.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { operatorApi } from "../plugin.ts";
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

/** Authenticates staff for the operator API: checks origin, session, CSRF token, role and, if required, a fresh proof. */
function authenticateStaff(ctx: SiteGateContext<StaffSession>): Authenticate {
  const check = async (request: FastifyRequest, activity: { readonly seen: boolean }) => {
    const origin = originOf(ctx, request);
    const session = await sessionOf({ ...ctx, site: "console" }, request, origin, activity);
    const { roles, fresh } = request.routeOptions.config.access ?? { roles: EVERYBODY, fresh: false };
    const asked = { method: request.method, who: roles, stepUp: fresh && activity.seen };
    return { session, refusal: refusalOf(ctx.clock, asked, session, origin, request) };
  };
  return async (request, reply) => {
    const { session, refusal } = await check(request, { seen: true });
    if (refusal) return refuse(request, reply, refusal);
    const isStillAuthorized = async () => {
      const now = await check(request, { seen: false });
      return now.refusal === null && isSame(session, now.session);
    };
    if (session) request.setDecorator("caller", callerOf(session, isStillAuthorized));
    return undefined;
  };
}

function callerOf({ userId, sessionId, name, role }: StaffSession, isStillAuthorized: Caller["isStillAuthorized"]): Caller {
  const actor = personActor("console", userId);
  return { kind: "staff", actor, person: actor, staff: { userId, sessionId, name, role }, isStillAuthorized };
}
