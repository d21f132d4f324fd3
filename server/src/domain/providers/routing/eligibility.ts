import type { Mode } from "../mode/mode.ts";
import type { Provider } from "../provider-directory.ts";
import { canServe, isSimulated } from "../settings/capabilities.ts";
import { ANY, type Route, routeLevel } from "./routing.ts";

/** A consistent snapshot of providers, routes and mode. */
export type Network = {
  readonly mode: Mode;
  readonly routes: readonly Route[];
  readonly provider: (name: string) => Provider | undefined;
};

/** Why a provider gets no orders of live accounts; `usable` when it does. */
export type Usability = "usable" | "provider_off" | "incomplete" | "unable" | "simulator";

export function usabilityOf({ mode, provider }: Network, name: string, service: string, operator: string): Usability {
  const found = provider(name);
  if (found && mode === "live" && isSimulated(found.row)) return "simulator";
  if (found?.row.enabled !== true) return "provider_off";
  if (!canServe(found.row, service, operator)) return "unable";
  return found.connector === null ? "incomplete" : "usable";
}

/** Contract, section 9a: in live mode, stored routes to the simulator are ignored. */
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

/** Whether any route of a service leads to a provider that can carry it out, for any operator. */
export function isServed(network: Network, service: string): boolean {
  const ofService = network.routes.filter((route) => route.service === service || route.service === ANY);
  return ofService.some((route) => eligibleRoutes(network, service, route.operator).length > 0);
}

/** Enabled routes that no order can ever take, because their provider cannot carry such orders out. */
export function brokenRoutes({ routes, provider }: Network): readonly Route[] {
  return routes.filter(({ enabled, provider: name, service, operator }) => {
    const row = provider(name)?.row;
    return enabled && row !== undefined && !canServe(row, service, operator);
  });
}
