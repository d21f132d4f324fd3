import { queryOptions } from "@tanstack/react-query";
import { get } from "../api.ts";
import type { Route } from "../providers/provider.ts";

export const ANY = "*";

type Key = Pick<Route, "service" | "operator" | "provider">;

// Names contain no dots, so a dot separates them in the URL.
export function routeParams({ service, operator, provider }: Key): { readonly route: string } {
  return { route: [service, operator, provider].join(".") };
}

export function readRouteParam(text: string): Key {
  const [service = "", operator = "", provider = ""] = text.split(".");
  return { service, operator, provider };
}

export function serviceText(service: string): string {
  return service === ANY ? "All services" : service;
}

export function operatorText(operator: string): string {
  return operator === ANY ? "all operators" : operator;
}

/** The service and operator of a route, such as "recharge, AT". */
export function routeName({ service, operator }: Pick<Route, "service" | "operator">): string {
  return `${serviceText(service)}, ${operatorText(operator)}`;
}

const REFRESH_MILLISECONDS = 5_000;

export const breakersQuery = queryOptions({
  queryKey: ["/breakers"],
  queryFn: ({ signal }) => get("/breakers", { limit: "200" }, signal),
  refetchInterval: REFRESH_MILLISECONDS,
});
