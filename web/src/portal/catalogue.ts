import { queryOptions, useQuery } from "@tanstack/react-query";
import { serverText } from "../messages/server-text.ts";
import type { Schemas } from "../portal-api.ts";
import type { Option } from "../ui/forms/field.tsx";
import { get } from "./api.ts";

export type Operator = Schemas["Operator"];
export type Service = Schemas["Service"];

const FRESH_MILLISECONDS = 30_000;

export const operatorsQuery = queryOptions({
  queryKey: ["/operators"],
  queryFn: async ({ signal }) => (await get("/operators", { limit: "200" }, signal)).items,
  staleTime: FRESH_MILLISECONDS,
});

export const servicesQuery = queryOptions({
  queryKey: ["/services"],
  queryFn: async ({ signal }) => (await get("/services", { limit: "200" }, signal)).items,
  staleTime: FRESH_MILLISECONDS,
});

export function useOperatorOptions(): readonly Option[] {
  const { data = [] } = useQuery(operatorsQuery);
  return data.map(({ operator, name }) => ({ value: operator, label: name }));
}

/** A service as people read it: "Bill payments" for bills. Its code until the list has arrived. */
export function useServiceName(service: string): string {
  const options = useServiceOptions();
  return options.find(({ value }) => value === service)?.label ?? service;
}

export function useServiceOptions(): readonly Option[] {
  const { data = [] } = useQuery(servicesQuery);
  return data.map(({ service, name }) => ({ value: service, label: serverText(name) }));
}
