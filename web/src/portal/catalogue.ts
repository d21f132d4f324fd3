import { queryOptions, useQuery } from "@tanstack/react-query";
import { get } from "../ui/api.ts";
import type { Option } from "../ui/field.tsx";

export type Operator = {
  readonly operator: string;
  readonly name: string;
  readonly kind: string;
  readonly account_label: string;
  readonly account_pattern: string;
  readonly account_example: string;
  readonly min_amount: string;
  readonly max_amount: string;
  readonly denominations: readonly string[];
  readonly status: "up" | "slow" | "down" | "off";
  readonly success_rate_1h: number | null;
};

export type Service = {
  readonly service: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly signing: "optional" | "required";
  readonly state: "open" | "closed" | "off";
  readonly opens_at: string | null;
  readonly closes_at: string | null;
  readonly reason: string;
  readonly limits: {
    readonly per_transaction_min: string | null;
    readonly per_transaction_max: string | null;
    readonly per_day: string | null;
    readonly used_today: string | null;
  };
};

const FRESH_MILLISECONDS = 30_000;

export const operatorsQuery = queryOptions({
  queryKey: ["/operators"],
  queryFn: async ({ signal }) => (await get<{ items: readonly Operator[] }>("/operators", { limit: 200 }, signal)).items,
  staleTime: FRESH_MILLISECONDS,
});

export const servicesQuery = queryOptions({
  queryKey: ["/services"],
  queryFn: async ({ signal }) => (await get<{ items: readonly Service[] }>("/services", { limit: 200 }, signal)).items,
  staleTime: FRESH_MILLISECONDS,
});

export function useOperatorOptions(): readonly Option[] {
  const { data = [] } = useQuery(operatorsQuery);
  return data.map(({ operator, name }) => ({ value: operator, label: name }));
}

export function useServiceOptions(): readonly Option[] {
  const { data = [] } = useQuery(servicesQuery);
  return data.map(({ service, name }) => ({ value: service, label: name }));
}
