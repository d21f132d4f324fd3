import { admits, type Breaker } from "./breaker.ts";
import type { Usability } from "./eligibility.ts";
import { notResting, type Route, routeLevel } from "./routing.ts";

/** Why an order passes a provider over; null when it is tried. */
export type PassedOver = "route_off" | Exclude<Usability, "usable"> | "resting";

export type WayStep = {
  readonly route: Route;
  readonly passedOver: PassedOver | null;
  /** How often it is the first of those of its priority that are tried, between 0 and 1. */
  readonly share: number;
  /** When its breaker lets an order try again; null when it rests not. */
  readonly restsUntil: number | null;
};

/** Where an operator's orders go now: the steps in the order they are tried in, those passed over in their places. */
export type Way = { readonly level: Pick<Route, "service" | "operator"> | null; readonly steps: readonly WayStep[] };

export type WayQuestion = {
  readonly routes: readonly Route[];
  readonly service: string;
  readonly operator: string;
  readonly usable: (provider: string) => Usability;
  readonly breakerOf: (provider: string) => Breaker;
  readonly now: number;
};

export function explainWay({ routes, service, operator, usable, breakerOf, now }: WayQuestion): Way {
  const inForce = routes.filter((route) => usable(route.provider) !== "simulator");
  const held = routeLevel(inForce, service, operator);
  const [first] = held.length > 0 ? held : routeLevel(routes, service, operator);
  if (!first) return { level: null, steps: [] };
  // Routes of this level that live orders ignore are shown in their places.
  const level = routes
    .filter((route) => route.service === first.service && route.operator === first.operator)
    .sort((a, b) => a.priority - b.priority || (a.provider < b.provider ? -1 : 1));
  const open = level.filter((route) => route.enabled && usable(route.provider) === "usable").map((route) => route.provider);
  // One alone is always tried: there is nothing to choose.
  const tried = new Set(open.length <= 1 ? open : notResting(open, breakerOf, now));
  const passedOver = (route: Route): PassedOver | null => {
    const found = usable(route.provider);
    if (!route.enabled && found !== "simulator") return "route_off";
    if (found !== "usable") return found;
    return tried.has(route.provider) ? null : "resting";
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
