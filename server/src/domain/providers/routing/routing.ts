import { admits, type Breaker } from "../health/breaker.ts";
import { stableHash } from "./stable-hash.ts";

export const SIMULATOR = "simulator";
export const ANY = "*";

export type Route = {
  /** A service name, or `*`. */
  readonly service: string;
  /** An operator code, or `*`. */
  readonly operator: string;
  readonly provider: string;
  /** Lower priorities are tried first. */
  readonly priority: number;
  /** The relative frequency of being tried first among routes of the same priority. */
  readonly weight: number;
  readonly enabled: boolean;
};

/**
 * The routes that apply to an operator: those of the most specific level that has any. Levels never mix, and a level with
 * only disabled routes stays empty, so that a live order cannot fall through to the simulator.
 */
export function routesFor(routes: readonly Route[], service: string, operator: string): readonly Route[] {
  return routeLevel(routes, service, operator).filter((route) => route.enabled);
}

/** The same including disabled routes. */
export function routeLevel(routes: readonly Route[], service: string, operator: string): readonly Route[] {
  const levels = [
    [service, operator],
    [service, ANY],
    [ANY, operator],
    [ANY, ANY],
  ] as const;
  for (const [ofService, ofOperator] of levels) {
    const level = routes.filter((route) => route.service === ofService && route.operator === ofOperator);
    if (level.length > 0) return level;
  }
  return [];
}

/** Sorted by priority, then by a weighted draw that is the same for the same reference. */
export function sortRoutes(routes: readonly Route[], reference: string): readonly string[] {
  const drawn = routes.map((route) => ({ route, draw: draw(route, reference) }));
  drawn.sort((a, b) => a.route.priority - b.route.priority || a.draw - b.draw);
  return drawn.map(({ route }) => route.provider);
}

// The smallest of exponential draws: each provider comes first in proportion to its weight.
function draw(route: Route, reference: string): number {
  const uniform = (stableHash(`${route.provider}/${reference}`) + 1) / (2 ** 32 + 1);
  return -Math.log(uniform) / route.weight;
}

/** Removes providers with an open breaker. When all are open, keeps the one whose breaker closes first. */
export function withoutOpenBreakers(
  providers: readonly string[],
  breakerOf: (provider: string) => Breaker,
  now: number,
): readonly string[] {
  const awake = providers.filter((provider) => admits(breakerOf(provider), now));
  if (awake.length > 0 || providers.length === 0) return awake;
  const until = (provider: string) => {
    const breaker = breakerOf(provider);
    return breaker.state === "closed" ? 0 : breaker.until;
  };
  return [providers.reduce((first, provider) => (until(provider) < until(first) ? provider : first))];
}
