import type { FastifyPluginAsync } from "fastify";
import { EVERYBODY } from "../operator-api/access.ts";
import type { OperatorApiDependencies } from "../operator-api/dependencies.ts";
import { operatorApi } from "../operator-api/plugin.ts";
import type { PeopleApiContext, PeopleTools } from "../people-api/context.ts";
import { invitationRoutes } from "../people-api/invitation-routes.ts";
import { proofRoutes } from "../people-api/proof-routes.ts";
import { securityRoutes } from "../people-api/security-routes.ts";
import { sessionRoutes } from "../people-api/session-routes.ts";
import type { SiteRoute } from "../site-kit/route.ts";
import { type SiteGateContext, siteApi } from "../site-kit/site-api.ts";
import type { StaffSession } from "./session.ts";
import { staffDoor } from "./staff-door.ts";

export type ConsoleContext = PeopleTools & SiteGateContext<StaffSession> & Pick<PeopleApiContext<StaffSession>, "mode">;

/** The console's JSON, to be registered under /console/api: people's own calls, and the operator API behind the staff's door. */
export function consoleApi(ctx: ConsoleContext, operator: OperatorApiDependencies): FastifyPluginAsync {
  return async (app) => {
    await app.register(siteApi({ ...ctx, site: "console" }, staffRoutes(ctx)));
    await app.register(operatorApi(operator, staffDoor(ctx)));
  };
}

/** What staff do with their own ways in. */
export function staffRoutes(ctx: ConsoleContext): readonly SiteRoute<StaffSession>[] {
  const people: PeopleApiContext<StaffSession> = { ...ctx, everybody: EVERYBODY, describe: async () => ({}) };
  return [...sessionRoutes(people), ...proofRoutes(people), ...invitationRoutes(people), ...securityRoutes(people)];
}
