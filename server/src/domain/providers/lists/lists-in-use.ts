import { type Network, usabilityOf } from "../routing/eligibility.ts";
import { ANY } from "../routing/routing.ts";
import { isSimulated } from "../settings/capabilities.ts";
import { type ListKey, type ListName, SERVICE_LISTS } from "./list.ts";

const NAMES: readonly (readonly [service: string, name: ListName])[] = [...Object.entries(SERVICE_LISTS), ["recharge", "plans"]];

/**
 * The lists that are kept up to date: those of every provider that a route leads to, and the plans that somebody has asked
 * for before. The simulator's lists are part of the service.
 */
export function listsInUse(network: Network, stored: readonly ListKey[]): readonly ListKey[] {
  const found = new Map<string, ListKey>();
  for (const { provider, name } of usableLists(network)) {
    const keys = name === "plans" ? stored.filter((one) => one.provider === provider && one.name === name) : [{ provider, name, key: "" }];
    for (const list of keys) found.set(`${provider}/${name}/${list.key}`, { provider, name, key: list.key });
  }
  return [...found.values()];
}

function usableLists(network: Network): readonly Omit<ListKey, "key">[] {
  return network.routes.flatMap((route) => {
    const found = network.provider(route.provider);
    if (!route.enabled || !found || isSimulated(found.row)) return [];
    return NAMES.filter(
      ([service, name]) =>
        (route.service === service || route.service === ANY) &&
        found.connector?.operations.has(name) === true &&
        usabilityOf(network, route.provider, service, route.operator) === "usable",
    ).map(([, name]) => ({ provider: route.provider, name }));
  });
}
