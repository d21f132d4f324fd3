import { expect, test } from "vitest";
import { type Breaker, CLOSED } from "../health/breaker.ts";
import type { Route } from "./routing.ts";
import { explainRouting, type RoutingPlanQuery } from "./routing-plan.ts";

const NOW = 1_000_000;
const OPEN: Breaker = { state: "open", failures: 5, since: NOW - 1000, until: NOW + 29_000 };

function route(provider: string, more: Partial<Route> = {}): Route {
  return { service: "recharge", operator: "AT", provider, priority: 100, weight: 100, enabled: true, ...more };
}

function explain(routes: readonly Route[], more: Partial<RoutingPlanQuery> = {}) {
  const usable = () => "usable" as const;
  const plan = explainRouting({ routes, service: "recharge", operator: "AT", usable, breakerOf: () => CLOSED, now: NOW, ...more });
  return { level: plan.level, steps: plan.steps.map((step) => [step.route.provider, step.passedOver, step.share]) };
}

test("the steps are in the order in which they are tried, with the shares of equal priorities", () => {
  const routes = [route("late", { priority: 200 }), route("b", { weight: 300 }), route("a"), route("other", { operator: "JO" })];
  expect(explain(routes)).toEqual({
    level: { service: "recharge", operator: "AT" },
    steps: [
      ["a", null, 0.25],
      ["b", null, 0.75],
      ["late", null, 1],
    ],
  });
});

test("a provider that is passed over has a reason and no share", () => {
  const routes = ["off", "broken", "silent", "route-off", "working"].map((name) => route(name, { enabled: name !== "route-off" }));
  const states = { off: "provider_off", broken: "incomplete" } as const;
  const { steps } = explain(routes, {
    usable: (provider) => states[provider as keyof typeof states] ?? "usable",
    breakerOf: (provider) => (provider === "silent" ? OPEN : CLOSED),
  });
  expect(steps).toEqual([
    ["broken", "incomplete", 0],
    ["off", "provider_off", 0],
    ["route-off", "route_off", 0],
    ["silent", "breaker_open", 0],
    ["working", null, 1],
  ]);
});

test("a provider with an open breaker is tried if there is no other", () => {
  expect(explain([route("a")], { breakerOf: () => OPEN }).steps).toEqual([["a", null, 1]]);
  const sooner = { ...OPEN, until: NOW + 5 };
  const both = explain([route("a"), route("b")], { breakerOf: (provider) => (provider === "b" ? sooner : OPEN) });
  expect(both.steps).toEqual([
    ["a", "breaker_open", 0],
    ["b", null, 1],
  ]);
});

test("only the most specific level counts, also when all of it is switched off", () => {
  const routes = [route("everywhere", { service: "*", operator: "*" }), route("a", { enabled: false })];
  expect(explain(routes).steps).toEqual([["a", "route_off", 0]]);
  expect(explain(routes, { operator: "JO" })).toEqual({ level: { service: "*", operator: "*" }, steps: [["everywhere", null, 1]] });
  expect(explain([])).toEqual({ level: null, steps: [] });
});
