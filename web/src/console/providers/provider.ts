import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";

export type Secret = { readonly name: string; readonly set: boolean };

export type Provider = {
  readonly provider: string;
  readonly connector: "simulator" | "http-template" | "corprail";
  readonly enabled: boolean;
  /** Why the provider gets no orders; null when it is complete. */
  readonly fault: string | null;
  readonly addresses: readonly string[];
  readonly secrets: readonly Secret[];
  readonly callback_path: string | null;
  readonly status: "up" | "slow" | "down" | "off" | "incomplete";
  readonly success_rate_1h: number | null;
  readonly last_hour: {
    readonly succeeded: number;
    readonly declined: number;
    readonly pending: number;
    readonly unheard: number;
    /** Orders that failed because of an error in this installation; not included in the success rate. */
    readonly ours: number;
    readonly average_ms: number | null;
  };
  readonly routes: number;
  readonly breakers_open: number;
  readonly created_at: string;
};

export type Route = {
  readonly service: string;
  readonly operator: string;
  readonly provider: string;
  readonly priority: number;
  readonly weight: number;
  readonly enabled: boolean;
};

export type Breaker = {
  readonly provider: string;
  readonly operator: string;
  readonly state: "closed" | "open" | "half_open";
  readonly failures: number;
  readonly since: string | null;
  readonly next_try_at: string | null;
};

/** A provider callback that the service refused. */
export type RefusedCallback = {
  readonly refusal_id: string;
  readonly at: string;
  readonly reason: string;
  readonly message: string;
  readonly authentic: boolean;
  readonly method: string;
  readonly source: string;
  readonly reference: string | null;
  readonly excerpt: string;
};

export type ProviderDetail = Provider & { readonly route_list: readonly Route[]; readonly breakers: readonly Breaker[] };

export type Definition = Readonly<Record<string, unknown>>;

const REFRESH_MILLISECONDS = 10_000;

export const providersQuery = queryOptions({
  queryKey: ["/providers", "list"],
  queryFn: ({ signal }) => get<{ readonly items: readonly Provider[] }>("/providers", { limit: 200 }, signal),
  select: ({ items }) => items,
  refetchInterval: REFRESH_MILLISECONDS,
});

export function providerQuery(provider: string) {
  return queryOptions({
    queryKey: ["/providers", provider],
    queryFn: ({ signal }) => get<ProviderDetail>(`/providers/${provider}`, {}, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

const SHOWN_REFUSALS = 20;

export function refusedCallbacksQuery(provider: string) {
  return queryOptions({
    queryKey: ["/provider-callbacks", provider],
    queryFn: ({ signal }) =>
      get<{ readonly items: readonly RefusedCallback[] }>("/provider-callbacks", { provider, limit: SHOWN_REFUSALS }, signal),
    select: ({ items }) => items,
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

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
  "http-template": "HTTP template",
  corprail: "Another Corprail installation",
};
