import { admits, type Breaker } from "./breaker.ts";
import { stableHash } from "./stable-hash.ts";

export const SIMULATOR = "simulator";
export const ANY = "*";

export type Route = {
  /** A service's name, or `*`. */
  readonly service: string;
  /** An operator's code, or `*`. */
  readonly operator: string;
  readonly provider: string;
  /** Lower ones are tried first. */
  readonly priority: number;
  /** How often this one comes first among those of the same priority. */
  readonly weight: number;
  readonly enabled: boolean;
};

/**
 * The routes that hold for an operator: those of the most specific level that has any. Levels never mix, and a
 * level whose routes are all switched off stays empty, so that a live order cannot fall through to the simulator.
 */
export function routesFor(routes: readonly Route[], service: string, operator: string): readonly Route[] {
  return routeLevel(routes, service, operator).filter((route) => route.enabled);
}

/** The same with those that are switched off. */
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

/** By priority, then by a draw that weighs; the same reference always draws the same. */
export function inOrder(routes: readonly Route[], reference: string): readonly string[] {
  const drawn = routes.map((route) => ({ route, draw: draw(route, reference) }));
  drawn.sort((a, b) => a.route.priority - b.route.priority || a.draw - b.draw);
  return drawn.map(({ route }) => route.provider);
}

// The smallest of exponential draws: each provider comes first in proportion to its weight.
function draw(route: Route, reference: string): number {
  const uniform = (stableHash(`${route.provider}/${reference}`) + 1) / (2 ** 32 + 1);
  return -Math.log(uniform) / route.weight;
}

/** Leaves out those that rest; when all do, the one whose rest ends first is tried rather than nobody. */
export function notResting(providers: readonly string[], breakerOf: (provider: string) => Breaker, now: number): readonly string[] {
  const awake = providers.filter((provider) => admits(breakerOf(provider), now));
  if (awake.length > 0 || providers.length === 0) return awake;
  const until = (provider: string) => {
    const breaker = breakerOf(provider);
    return breaker.state === "closed" ? 0 : breaker.until;
  };
  return [providers.reduce((first, provider) => (until(provider) < until(first) ? provider : first))];
}
