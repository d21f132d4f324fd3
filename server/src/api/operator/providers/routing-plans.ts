import type { ProviderRegistry } from "../../../domain/providers/registry.ts";
import type { Route } from "../../../domain/providers/routing/routing.ts";
import { stepView } from "./views.ts";

type Where = Pick<Route, "service" | "operator">;
type PlanProviders = Pick<ProviderRegistry, "routingPlan" | "routes">;

/** Where orders go, or would go with these routes. */
export function routingPlanView(providerRegistry: PlanProviders, { service, operator }: Where, routes?: readonly Route[]) {
  const way = providerRegistry.routingPlan(service, operator, routes);
  return { service, operator, level: way.level, steps: way.steps.map(stepView) };
}

/** Who would be tried for what a provider's routes lead to it, were it switched off. */
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
