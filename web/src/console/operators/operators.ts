import { queryOptions } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";
import type { RoutingStep } from "../routing-plan/routing-plan.ts";

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
  readonly enabled: boolean;
  readonly status: "up" | "slow" | "down" | "off";
  readonly success_rate_1h: number | null;
  readonly providers: readonly RoutingStep[];
};

const REFRESH_MILLISECONDS = 10_000;

export const operatorsQuery = queryOptions({
  queryKey: ["/operators"],
  queryFn: ({ signal }) => get<{ readonly items: readonly Operator[] }>("/operators", { limit: 200 }, signal),
  select: ({ items }) => items,
  refetchInterval: REFRESH_MILLISECONDS,
});
