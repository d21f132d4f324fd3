import { CATALOGUE_SERVICE } from "../../shared/service-definition.ts";
import { eligibleRoutes, isServed, type Network } from "./eligibility.ts";

/** Operators and services that clients cannot use, because no provider can carry their orders out. */
export type Unserved = { readonly operators: readonly string[]; readonly services: readonly string[] };

type Switched = { readonly name: string; readonly enabled: boolean };

/** Finds enabled operators and services without an enabled provider that can serve them. */
export function findUnserved(
  network: Network,
  catalogue: { readonly operators: readonly Switched[]; readonly services: readonly Switched[] },
): Unserved {
  const on = ({ enabled }: Switched) => enabled;
  const services = catalogue.services.filter(on).map(({ name }) => name);
  const operators = services.includes(CATALOGUE_SERVICE) ? catalogue.operators.filter(on).map(({ name }) => name) : [];
  return {
    operators: operators.filter((operator) => eligibleRoutes(network, CATALOGUE_SERVICE, operator).length === 0),
    // Every order of this service names an operator of the catalogue, so the unserved operators cover it.
    services: services.filter((service) => service !== CATALOGUE_SERVICE && !isServed(network, service)),
  };
}

/** A sentence for staff; null when everything is served. */
export function unservedText({ operators, services }: Unserved): string | null {
  const parts = [
    ...(operators.length === 0 ? [] : [`${CATALOGUE_SERVICE} operators ${operators.join(", ")}`]),
    ...(services.length === 0 ? [] : [`services ${services.join(", ")}`]),
  ];
  return parts.length === 0 ? null : `No provider serves the ${parts.join(" and the ")}, so their orders are refused.`;
}
