import type { Upstreams } from "../../../domain/providers/registry.ts";
import type { Route } from "../../../domain/providers/routing.ts";
import { stepView } from "./views.ts";

type Where = Pick<Route, "service" | "operator">;
type WayUpstreams = Pick<Upstreams, "way" | "routes">;

/** Where orders go, or would go with these routes. */
export function wayView(upstreams: WayUpstreams, { service, operator }: Where, routes?: readonly Route[]) {
  const way = upstreams.way(service, operator, routes);
  return { service, operator, level: way.level, steps: way.steps.map(stepView) };
}

/** Who would be tried for what a provider's routes lead to it, were it switched off. */
export function wayWithout(upstreams: WayUpstreams, provider: string) {
  const routes = upstreams.routes();
  const without = routes.map((route) => (route.provider === provider ? { ...route, enabled: false } : route));
  return routes
    .filter((route) => route.provider === provider && route.enabled)
    .map(({ service, operator }) => {
      const tried = upstreams.way(service, operator, without).steps.filter((step) => step.passedOver === null);
      return { service, operator, providers: tried.map((step) => step.route.provider) };
    });
}
