import { readTraffic } from "../../../domain/orders/queries/read-traffic.ts";
import { deleteRoute } from "../../../domain/providers/routing/delete-route.ts";
import { ANY, type Route, routeLevel } from "../../../domain/providers/routing/routing.ts";
import { saveRoute, USUAL_ROUTE, wentLiveText } from "../../../domain/providers/routing/save-route.ts";
import { serviceDefinition } from "../../../domain/shared/service-definition.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { SUMMED } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { noSuch, pageOrRefusal, Refusal, wrongFields } from "../refusal.ts";
import { refuseFaults } from "./faults.ts";
import { routeBody, routeDeleteBody, routeFilter, routeImpactQuery, routingPlanQuery } from "./fields.ts";
import { deletedRouteOutput, routeImpactOutput, routeOutput, routingPlanOutput, SHOWN_CLIENTS, savedRouteOutput } from "./route-outputs.ts";
import { routingPlanView } from "./routing-plans.ts";
import { routeView } from "./views.ts";

const listRoutes = action({
  path: "GET /routes",
  summary: "Lists the routes.",
  roles: EVERYBODY,
  query: shortListQuery.extend(routeFilter),
  output: pageOf(routeOutput),
  handler: async ({ deps, query }) => {
    const { service, operator, provider } = query;
    const fits = (route: Route) =>
      (service ?? route.service) === route.service &&
      (operator ?? route.operator) === route.operator &&
      (provider ?? route.provider) === route.provider;
    return pageOrRefusal(shortPage(deps.providerRegistry.routes().filter(fits), query, routeView, routeName));
  },
});

const showRoutingPlan = action({
  path: "GET /routes/plan",
  summary: "Shows which providers are tried for a service and operator, and why others are skipped.",
  roles: EVERYBODY,
  query: routingPlanQuery,
  output: routingPlanOutput,
  handler: async ({ deps: { catalogue, providerRegistry }, query: { service, operator, without } }) => {
    if (service !== ANY && !catalogue.hasService(service)) return noSuch("service");
    if (without === undefined) return routingPlanView(providerRegistry, { service, operator });
    const { level } = providerRegistry.routingPlan(service, operator);
    const stays = (route: Route) => !(route.provider === without && route.service === level?.service && route.operator === level.operator);
    return routingPlanView(providerRegistry, { service, operator }, providerRegistry.routes().filter(stays));
  },
});

const showRouteImpact = action({
  path: "GET /routes/impact",
  summary: "Shows the orders that a new or changed route would affect, and the routing plans without and with it.",
  roles: EVERYBODY,
  query: routeImpactQuery,
  output: routeImpactOutput,
  cells: SUMMED,
  handler: async ({ deps, query: { service, operator, provider, priority, weight } }) => {
    const { catalogue, providerRegistry: registry } = deps;
    if (service !== ANY && !catalogue.hasService(service)) return noSuch("service");
    if (!registry.providers().some(({ row }) => row.provider === provider)) return noSuch("provider");
    const isSame = (route: Route) => route.service === service && route.operator === operator && route.provider === provider;
    const before = registry.routes().find(isSame) ?? USUAL_ROUTE;
    const places = { priority: priority ?? before.priority, weight: weight ?? before.weight };
    const routes = [...registry.routes().filter((route) => !isSame(route)), { service, operator, provider, ...places, enabled: true }];
    const applies = (order: Pick<Route, "service" | "operator">) => routeLevel(routes, order.service, order.operator).some(isSame);
    const { since, orders, amount, clients } = await readTraffic(deps.sql, applies, deps.clock.now());
    return {
      since: indiaDateTime(since),
      orders,
      amount: formatMoney(amount),
      accounts: clients.length,
      clients: clients.slice(0, SHOWN_CLIENTS),
      before: routingPlanView(registry, { service, operator }),
      after: routingPlanView(registry, { service, operator }, routes),
    };
  },
});

const setRoute = action({
  path: "POST /routes",
  summary: "Adds or changes a route. The first route to a real provider makes the installation live.",
  roles: OPERATIONS,
  body: routeBody,
  output: savedRouteOutput,
  handler: async ({ deps, actor, body }) => {
    const result = await saveRoute(deps, actor, body);
    if (result.kind === "invalid") return refuseFaults(result.faults, "");
    if (result.kind === "not_found") return wrongFields({ provider: "There is no such provider." });
    if (result.kind === "unusable") return new Refusal("unusable_route", result.message, { fields: { [result.path]: result.message } });
    const { route, wentLive } = result;
    const live = { mode: deps.providerRegistry.mode(), went_live: wentLive !== null, notice: wentLive && wentLiveText(wentLive) };
    return { ...routeView(route), warning: warningOf(deps, route), ...live, plan: routingPlanView(deps.providerRegistry, route) };
  },
});

const removeRoute = action({
  path: "POST /routes/delete",
  summary: "Deletes a route.",
  roles: OPERATIONS,
  body: routeDeleteBody,
  output: deletedRouteOutput,
  handler: async ({ deps, actor, body: { service, operator, provider, reason } }) => {
    const result = await deleteRoute(deps, actor, { service, operator, provider, reason });
    if (result.kind === "not_found") return noSuch("route");
    return { service, operator, provider, plan: routingPlanView(deps.providerRegistry, { service, operator }) };
  },
});

function routeName({ service, operator, provider }: Route): string {
  return `${service} ${operator} ${provider}`;
}

// Orders contain an operator's code, never its alias, so a route for anything else is never used.
function warningOf({ catalogue }: OperatorApiDependencies, { service, operator }: Route): string | null {
  if (serviceDefinition(service).operators === "provider" || operator === ANY) return null;
  if (catalogue.operators().some((one) => one.operator === operator)) return null;
  return `The catalogue has no ${service} operator ${operator}, so no order will use this route.`;
}

/** Routes: which provider gets an operator's orders. */
export const routeActions: readonly Action[] = [listRoutes, showRoutingPlan, showRouteImpact, setRoute, removeRoute];
