import type { z } from "zod";
import type { ProviderRegistry } from "../../../domain/providers/registry.ts";
import type { Route } from "../../../domain/providers/routing/routing.ts";
import type { routingPlanOutput } from "./route-outputs.ts";
import { stepView } from "./views.ts";

type Where = Pick<Route, "service" | "operator">;
type PlanProviders = Pick<ProviderRegistry, "routingPlan" | "routes">;

/** The routing plan of a service and operator, with the current or the given routes. */
export function routingPlanView(
  providerRegistry: PlanProviders,
  { service, operator }: Where,
  routes?: readonly Route[],
): z.output<typeof routingPlanOutput> {
  const plan = providerRegistry.routingPlan(service, operator, routes);
  return { service, operator, level: plan.level, steps: plan.steps.map(stepView) };
}

/** The routing plans of a provider's routes if the provider were switched off. */
export function routingPlanWithout(providerRegistry: PlanProviders, provider: string) {
  const routes = providerRegistry.routes();
  const without = routes.map((route) => (route.provider === provider ? { ...route, enabled: false } : route));
  return routes
    .filter((route) => route.provider === provider && route.enabled)
    .map(({ service, operator }) => {
      const tried = providerRegistry.routingPlan(service, operator, without).steps.filter((step) => step.passedOver === null);
      return { service, operator, providers: tried.map((step) => step.route.provider) };
    });
}
