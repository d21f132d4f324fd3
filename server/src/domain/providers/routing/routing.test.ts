import fc from "fast-check";
import { expect, test } from "vitest";
import { type Breaker, CLOSED } from "../health/breaker.ts";
import { type Route, routesFor, sortRoutes, withoutOpenBreakers } from "./routing.ts";

function route(what: Partial<Route>): Route {
  return { service: "*", operator: "*", provider: "simulator", priority: 100, weight: 100, enabled: true, ...what };
}

const names = (routes: readonly Route[]) => routes.map((one) => one.provider);

test("only the most specific routes hold", () => {
  const routes = [
    route({}),
    route({ service: "recharge", provider: "general" }),
    route({ service: "recharge", operator: "AT", provider: "special" }),
    route({ operator: "JO", provider: "by-operator" }),
  ];
  expect(names(routesFor(routes, "recharge", "AT"))).toEqual(["special"]);
  expect(names(routesFor(routes, "recharge", "JO"))).toEqual(["general"]);
  expect(names(routesFor(routes, "bills", "JO"))).toEqual(["by-operator"]);
  expect(names(routesFor(routes, "bills", "X"))).toEqual(["simulator"]);
  expect(routesFor([], "bills", "X")).toEqual([]);
});

test("a live order never falls through to the simulator because its own routes are switched off", () => {
  const routes = [route({}), route({ service: "recharge", operator: "AT", provider: "special", enabled: false })];
  expect(routesFor(routes, "recharge", "AT")).toEqual([]);
});

test("priority goes before weight, whatever the reference", () => {
  const routes = [route({ provider: "second", priority: 2, weight: 1000 }), route({ provider: "first", priority: 1, weight: 1 })];
  fc.assert(
    fc.property(fc.string(), (reference) => {
      expect(sortRoutes(routes, reference)).toEqual(["first", "second"]);
    }),
  );
});

test("every provider of a level is offered once, and the same reference gives the same order", () => {
  const routes = ["a", "b", "c", "d"].map((provider, place) => route({ provider, weight: place + 1 }));
  fc.assert(
    fc.property(fc.string(), (reference) => {
      expect(sortRoutes(routes, reference).toSorted()).toEqual(["a", "b", "c", "d"]);
      expect(sortRoutes(routes.toReversed(), reference)).toEqual(sortRoutes(routes, reference));
    }),
  );
});

test("providers of one priority come first in proportion to their weights", () => {
  const routes = [route({ provider: "a", weight: 10 }), route({ provider: "b", weight: 30 }), route({ provider: "c", weight: 60 })];
  const first: Record<string, number> = { a: 0, b: 0, c: 0 };
  for (let number = 0; number < 20_000; number++) {
    const [winner = ""] = sortRoutes(routes, `01J${number}`);
    first[winner] = (first[winner] ?? 0) + 1;
  }
  expect((first["a"] ?? 0) / 20_000).toBeCloseTo(0.1, 1);
  expect((first["b"] ?? 0) / 20_000).toBeCloseTo(0.3, 1);
  expect((first["c"] ?? 0) / 20_000).toBeCloseTo(0.6, 1);
});

const breakers: Readonly<Record<string, Breaker>> = {
  well: CLOSED,
  soon: { state: "open", failures: 5, since: 0, until: 2000 },
  later: { state: "open", failures: 5, since: 0, until: 3000 },
  trying: { state: "half_open", failures: 5, since: 0, until: 4000 },
};
const breakerOf = (provider: string) => breakers[provider] ?? CLOSED;

test("those that rest are left out, and come back when their rest is over", () => {
  expect(withoutOpenBreakers(["later", "well", "soon"], breakerOf, 1000)).toEqual(["well"]);
  expect(withoutOpenBreakers(["later", "well", "soon"], breakerOf, 2500)).toEqual(["well", "soon"]);
});

test("when all rest, the one whose rest ends first is tried", () => {
  expect(withoutOpenBreakers(["trying", "later", "soon"], breakerOf, 1000)).toEqual(["soon"]);
  expect(withoutOpenBreakers([], breakerOf, 1000)).toEqual([]);
});
