import { eligibleRoutes, isServed, type Network } from "./eligibility.ts";

/** What clients are refused because no provider can do it. */
export type Unserved = { readonly operators: readonly string[]; readonly services: readonly string[] };

type Switched = { readonly name: string; readonly enabled: boolean };

const RECHARGE = "recharge";

/** Of what is switched on: what has no provider that is switched on and can do it. */
export function findUnserved(
  network: Network,
  catalogue: { readonly operators: readonly Switched[]; readonly services: readonly Switched[] },
): Unserved {
  const on = ({ enabled }: Switched) => enabled;
  const services = catalogue.services.filter(on).map(({ name }) => name);
  const operators = services.includes(RECHARGE) ? catalogue.operators.filter(on).map(({ name }) => name) : [];
  return {
    operators: operators.filter((operator) => eligibleRoutes(network, RECHARGE, operator).length === 0),
    // A recharge needs an operator, so its operators tell everything.
    services: services.filter((service) => service !== RECHARGE && !isServed(network, service)),
  };
}

/** Null when nothing is missing. */
export function unservedText({ operators, services }: Unserved): string | null {
  const parts = [
    ...(operators.length === 0 ? [] : [`recharge operators ${operators.join(", ")}`]),
    ...(services.length === 0 ? [] : [`services ${services.join(", ")}`]),
  ];
  return parts.length === 0 ? null : `No provider serves the ${parts.join(" and the ")}: clients are refused.`;
}
