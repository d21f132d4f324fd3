import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Option } from "../ui/forms/field.tsx";
import { get } from "./api.ts";

// For selects and labels. The pages of services, operators and providers read their own, fresher lists.
const FRESH_MILLISECONDS = 60_000;
const ALL = { limit: "200" };

export const serviceOptionsQuery = queryOptions({
  queryKey: ["/services", "options"],
  queryFn: async ({ signal }): Promise<readonly Option[]> => {
    const { items } = await get("/services", ALL, signal);
    return items.map(({ service, name }) => ({ value: service, label: name }));
  },
  staleTime: FRESH_MILLISECONDS,
});

/** A service as people read it: "Bill payments" for bills. Its code until the list has arrived. */
export function useServiceName(service: string): string {
  const { data = [] } = useQuery(serviceOptionsQuery);
  return data.find(({ value }) => value === service)?.label ?? service;
}

export const operatorOptionsQuery = queryOptions({
  queryKey: ["/operators", "options"],
  queryFn: async ({ signal }): Promise<readonly Option[]> => {
    const { items } = await get("/operators", ALL, signal);
    return items.map(({ operator, name }) => ({ value: operator, label: name }));
  },
  staleTime: FRESH_MILLISECONDS,
});

export const providerOptionsQuery = queryOptions({
  queryKey: ["/providers", "options"],
  queryFn: async ({ signal }): Promise<readonly Option[]> => {
    const { items } = await get("/providers", ALL, signal);
    return items.map(({ provider }) => ({ value: provider, label: provider }));
  },
  staleTime: FRESH_MILLISECONDS,
});

/** Names of clients by their ids, for lists that have only ids. */
export const accountNamesQuery = queryOptions({
  queryKey: ["/accounts", "names"],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const { items } = await get("/accounts", ALL, signal);
    return new Map(items.map(({ account_id, name }) => [account_id, name]));
  },
  staleTime: FRESH_MILLISECONDS,
});
