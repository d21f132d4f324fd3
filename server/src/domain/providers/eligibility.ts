import { canServe, isSimulated } from "./abilities.ts";
import type { Mode } from "./mode.ts";
import type { Provider } from "./provider-directory.ts";
import { ANY, type Route, routeLevel } from "./routing.ts";

/** Providers, routes and mode of one moment, in the service's memory or as a command has read them. */
export type Network = {
  readonly mode: Mode;
  readonly routes: readonly Route[];
  readonly provider: (name: string) => Provider | undefined;
};

/** Why no order of a live account goes to a provider; `usable` when one does. */
export type Usability = "usable" | "provider_off" | "incomplete" | "unable" | "simulator";

export function usabilityOf({ mode, provider }: Network, name: string, service: string, operator: string): Usability {
  const found = provider(name);
  if (found && mode === "live" && isSimulated(found.row)) return "simulator";
  if (found?.row.enabled !== true) return "provider_off";
  if (!canServe(found.row, service, operator)) return "unable";
  return found.connector === null ? "incomplete" : "usable";
}

/** Contract, section 9a: in live, routes to the simulator that were saved before are ignored, as if they were not there. */
export function routesInForce({ mode, routes, provider }: Network): readonly Route[] {
  if (mode === "trial") return routes;
  return routes.filter((route) => {
    const found = provider(route.provider);
    return !found || !isSimulated(found.row);
  });
}

/** The routes that an order of a live account can take now. */
export function eligibleRoutes(network: Network, service: string, operator: string): readonly Route[] {
  return routeLevel(routesInForce(network), service, operator).filter(
    (route) => route.enabled && usabilityOf(network, route.provider, service, operator) === "usable",
  );
}

/** Whether any route of a service leads to somebody who can do it, whatever the operator. */
export function isServed(network: Network, service: string): boolean {
  const ofService = network.routes.filter((route) => route.service === service || route.service === ANY);
  return ofService.some((route) => eligibleRoutes(network, service, route.operator).length > 0);
}

/** Routes that are switched on and that no order can ever take, because their provider cannot do what they ask for. */
export function brokenRoutes({ routes, provider }: Network): readonly Route[] {
  return routes.filter(({ enabled, provider: name, service, operator }) => {
    const row = provider(name)?.row;
    return enabled && row !== undefined && !canServe(row, service, operator);
  });
}
