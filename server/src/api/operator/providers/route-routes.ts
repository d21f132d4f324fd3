import { wentLiveText } from "../../../domain/providers/mode/went-live-text.ts";
import { deleteRoute } from "../../../domain/providers/routing/delete-route.ts";
import { ANY, type Route } from "../../../domain/providers/routing/routing.ts";
import { saveRoute } from "../../../domain/providers/routing/save-route.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { EVERYBODY, may, OPERATIONS } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse, refuseFields, sendPage } from "../errors.ts";
import type { ZodApp } from "../zod-app.ts";
import { faultFields } from "./faults.ts";
import { routeBody, routeDeleteBody, routeFilter, routingPlanQuery } from "./fields.ts";
import { routingPlanView } from "./routing-plans.ts";
import { routeView } from "./views.ts";

const routesQuery = shortListQuery.extend(routeFilter);

/** Routes: which provider gets an operator's orders. */
export function routeRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/routes", { config: may(EVERYBODY), schema: { querystring: routesQuery } }, async (request, reply) => {
    const { service, operator, provider } = request.query;
    const fits = (route: Route) =>
      (service ?? route.service) === route.service &&
      (operator ?? route.operator) === route.operator &&
      (provider ?? route.provider) === route.provider;
    return sendPage(reply, shortPage(deps.providerRegistry.routes().filter(fits), request.query, routeView, routeName));
  });

  app.get("/routes/plan", { config: may(EVERYBODY), schema: { querystring: routingPlanQuery } }, async (request, reply) => {
    const { service, operator, without } = request.query;
    if (service !== ANY && !deps.catalogue.hasService(service)) return notFound(reply, "service");
    if (without === undefined) return reply.send(routingPlanView(deps.providerRegistry, { service, operator }));
    const level = deps.providerRegistry.routingPlan(service, operator).level;
    const stays = (route: Route) => !(route.provider === without && route.service === level?.service && route.operator === level.operator);
    return reply.send(routingPlanView(deps.providerRegistry, { service, operator }, deps.providerRegistry.routes().filter(stays)));
  });

  app.post("/routes", { config: may(OPERATIONS), schema: { body: routeBody } }, async (request, reply) => {
    const result = await saveRoute(deps, actor(request), request.body);
    if (result.kind === "invalid") return refuseFields(reply, faultFields(result.faults, ""));
    if (result.kind === "not_found") return refuseFields(reply, { provider: "There is no such provider." });
    if (result.kind === "unusable") return refuse(reply, "unusable_route", result.message, { [result.path]: result.message });
    const { route, wentLive } = result;
    const live = { mode: deps.providerRegistry.mode(), went_live: wentLive !== null, notice: wentLive && wentLiveText(wentLive) };
    return reply.send({
      ...routeView(route),
      warning: warningOf(deps, route),
      ...live,
      plan: routingPlanView(deps.providerRegistry, route),
    });
  });

  app.post("/routes/delete", { config: may(OPERATIONS), schema: { body: routeDeleteBody } }, async (request, reply) => {
    const { service, operator, provider, reason } = request.body;
    const result = await deleteRoute(deps, actor(request), { service, operator, provider, reason });
    if (result.kind === "not_found") return notFound(reply, "route");
    return reply.send({ service, operator, provider, plan: routingPlanView(deps.providerRegistry, request.body) });
  });
}

function routeName({ service, operator, provider }: Route): string {
  return `${service} ${operator} ${provider}`;
}

// Orders contain an operator's code, never its alias, so a route for anything else is never used.
function warningOf({ catalogue }: OperatorApiDependencies, { service, operator }: Route): string | null {
  if (service !== "recharge" || operator === ANY || catalogue.operators().some((one) => one.operator === operator)) return null;
  return `The catalogue has no recharge operator ${operator}, so no order will use this route.`;
}
