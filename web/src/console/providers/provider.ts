import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../api.ts";

export type Secret = { readonly name: string; readonly set: boolean };

export type Provider = Schemas["Provider"];

export type Route = Schemas["Route"];

export type Breaker = Schemas["Breaker"];

/** A provider callback that the service refused. */
export type RefusedCallback = Schemas["RefusedProviderCallback"];

export type ProviderDetail = Provider & { readonly route_list: readonly Route[]; readonly breakers: readonly Breaker[] };

export type Definition = Readonly<Record<string, unknown>>;

const REFRESH_MILLISECONDS = 10_000;

export const providersQuery = queryOptions({
  queryKey: ["/providers", "list"],
  queryFn: ({ signal }) => get("/providers", { limit: "200" }, signal),
  select: ({ items }) => items,
  refetchInterval: REFRESH_MILLISECONDS,
});

export function providerQuery(provider: string) {
  return queryOptions({
    queryKey: ["/providers", provider],
    queryFn: ({ signal }) => get("/providers/:provider", { provider }, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

export type ProviderList = Schemas["ProviderList"];

export function providerListsQuery(provider: string) {
  return queryOptions({
    queryKey: ["/providers", provider, "lists"],
    queryFn: ({ signal }) => get("/providers/:provider/lists", { provider }, signal),
    select: ({ lists }) => lists,
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

export const shippedDescriptionsQuery = queryOptions({
  queryKey: ["/provider-descriptions"],
  queryFn: ({ signal }) => get("/provider-descriptions", { limit: "200" }, signal),
  select: ({ items }) => items,
});

const SHOWN_REFUSALS = "20";

export function refusedCallbacksQuery(provider: string) {
  return queryOptions({
    queryKey: ["/provider-callbacks", provider],
    queryFn: ({ signal }) => get("/provider-callbacks", { provider, limit: SHOWN_REFUSALS }, signal),
    select: ({ items }) => items,
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

/** Callbacks whose address names no provider. */
export const unknownProviderCallbacksQuery = queryOptions({
  queryKey: ["/provider-callbacks", "unknown_provider"],
  queryFn: ({ signal }) => get("/provider-callbacks", { reason: "unknown_provider", limit: SHOWN_REFUSALS }, signal),
  select: ({ items }) => items,
  refetchInterval: REFRESH_MILLISECONDS,
});

/** Reads providers, routes and routing plans again after a change to one of them. */
export function useProvidersChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    // A new route may have made the installation live.
    const keys = ["/providers", "/routes", "/operators", "/services", "/breakers", "/session"];
    await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
  };
}

export const CONNECTOR_NAMES: Readonly<Record<Provider["connector"], string>> = {
  simulator: "Built-in simulator",
  description: "Description",
  plugin: "Plug-in",
  corprail: "Another Corprail installation",
};
