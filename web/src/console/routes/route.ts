import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { countText, moneyText, readIndiaTime } from "../../ui/formats/format.ts";
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

/** A route that is about to be saved, as it is typed. */
export type Proposal = Key & { readonly priority: string; readonly weight: string };

export const PLACE_ERROR = "Must be a whole number from 1 to 1000.";

/** Whether a text is a priority or a weight. */
export function isPlace(text: string): boolean {
  return /^(?:[1-9]\d{0,2}|1000)$/.test(text.trim());
}

/** Such as "Since 14:05:00 IST: 31 orders of 2 clients (₹4,102.00) would have used this route: Acme, Gupta & Sons." */
export function routeImpactText({ since, orders, amount, accounts, clients }: Schemas["RouteImpact"]): string {
  if (orders === 0) return "No order of the last hour would have used this route.";
  const clock = readIndiaTime(since)?.clock ?? since;
  const others = accounts - clients.length;
  const names = clients.join(", ") + (others > 0 ? ` and ${countText(others)} more` : "");
  const many = `${countText(orders)} ${orders === 1 ? "order" : "orders"} of ${countText(accounts)} ${accounts === 1 ? "client" : "clients"}`;
  return `Since ${clock} IST: ${many} (${moneyText(amount)}) would have used this route: ${names}.`;
}

const REFRESH_MILLISECONDS = 5_000;

export const breakersQuery = queryOptions({
  queryKey: ["/breakers"],
  queryFn: ({ signal }) => get("/breakers", { limit: "200" }, signal),
  refetchInterval: REFRESH_MILLISECONDS,
});
