import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AnalyticsView, type Dimension } from "../../analytics/analytics-page.tsx";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { ACCOUNT_FILTER } from "../clients/account-filter.tsx";
import { operatorOptionsQuery, providerOptionsQuery, serviceOptionsQuery } from "../names.ts";

const DIMENSIONS: readonly Dimension[] = [
  { value: "operator", label: "Operator" },
  { value: "circle", label: "Circle" },
  { value: "service", label: "Service" },
  { value: "provider", label: "Provider" },
  { value: "account", label: "Client" },
  { value: "reason", label: "Error reason" },
];

/** Success, time and value of all clients' orders. */
export function AnalyticsPage(): ReactNode {
  const search = useSearch({ from: "/console/analytics" });
  const filters: readonly Filter[] = [
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
    { kind: "choice", name: "service", label: "Service", options: useQuery(serviceOptionsQuery).data ?? [] },
    { kind: "choice", name: "operator", label: "Operator", options: useQuery(operatorOptionsQuery).data ?? [] },
    { kind: "choice", name: "provider", label: "Provider", options: useQuery(providerOptionsQuery).data ?? [] },
    ACCOUNT_FILTER,
  ];
  return (
    <AnalyticsView
      about="Success, time and value of all clients' transactions, compared with the period before."
      search={search}
      dimensions={DIMENSIONS}
      filters={filters}
      transactions={(wanted) => ({ to: "/transactions", search: wanted as never })}
    />
  );
}
