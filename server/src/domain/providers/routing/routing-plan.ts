import { admits, type Breaker } from "../health/breaker.ts";
import type { Usability } from "./eligibility.ts";
import { type Route, routeLevel, withoutOpenBreakers } from "./routing.ts";

/** Why a provider is skipped; null when it is tried. */
export type SkipReason = "route_off" | Exclude<Usability, "usable"> | "breaker_open";

export type RoutingStep = {
  readonly route: Route;
  readonly passedOver: SkipReason | null;
  /** How often it is tried first among the routes of its priority, from 0 to 1. */
  readonly share: number;
  /** When its breaker allows the next order; null while the breaker is closed. */
  readonly restsUntil: number | null;
};

/** The routing plan of an operator: the steps in the order of trying, with skipped providers in their positions. */
export type RoutingPlan = { readonly level: Pick<Route, "service" | "operator"> | null; readonly steps: readonly RoutingStep[] };

export type RoutingPlanQuery = {
  readonly routes: readonly Route[];
  readonly service: string;
  readonly operator: string;
  readonly usable: (provider: string) => Usability;
  readonly breakerOf: (provider: string) => Breaker;
  readonly now: number;
};

export function explainRouting({ routes, service, operator, usable, breakerOf, now }: RoutingPlanQuery): RoutingPlan {
  const inForce = routes.filter((route) => usable(route.provider) !== "simulator");
  const held = routeLevel(inForce, service, operator);
  const [first] = held.length > 0 ? held : routeLevel(routes, service, operator);
  if (!first) return { level: null, steps: [] };
  // Routes of this level that live orders ignore are included in their positions.
  const level = routes
    .filter((route) => route.service === first.service && route.operator === first.operator)
    .sort((a, b) => a.priority - b.priority || (a.provider < b.provider ? -1 : 1));
  const open = level.filter((route) => route.enabled && usable(route.provider) === "usable").map((route) => route.provider);
  // A single provider is always tried, even with an open breaker.
  const tried = new Set(open.length <= 1 ? open : withoutOpenBreakers(open, breakerOf, now));
  const passedOver = (route: Route): SkipReason | null => {
    const found = usable(route.provider);
    if (!route.enabled && found !== "simulator") return "route_off";
    if (found !== "usable") return found;
    return tried.has(route.provider) ? null : "breaker_open";
  };
  const steps = level.map((route) => {
    const why = passedOver(route);
    const equals = level.filter((one) => one.priority === route.priority && tried.has(one.provider));
    const weight = equals.reduce((sum, one) => sum + one.weight, 0);
    return { route, passedOver: why, share: why === null ? route.weight / weight : 0, restsUntil: restOf(breakerOf(route.provider), now) };
  });
  return { level: { service: first.service, operator: first.operator }, steps };
}

function restOf(breaker: Breaker, now: number): number | null {
  return breaker.state === "closed" || admits(breaker, now) ? null : breaker.until;
}
