import type { FastifyPluginAsync } from "fastify";
import { siteApi } from "../sites/site-api.ts";
import type { PortalGateContext } from "./context.ts";
import type { PortalRoute } from "./route.ts";

/** The portal's API, registered under /portal/api. */
export function portalApi(ctx: PortalGateContext, routes: readonly PortalRoute[]): FastifyPluginAsync {
  return siteApi({ ...ctx, site: "portal" }, routes);
}
