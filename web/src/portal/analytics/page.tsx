import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AnalyticsView, type Dimension } from "../../analytics/analytics-page.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import { useOperatorOptions, useServiceOptions } from "../catalogue.ts";

const DIMENSIONS: readonly Dimension[] = [
  { value: "operator", label: "Operator" },
  { value: "circle", label: "Circle" },
  { value: "service", label: "Service" },
  { value: "reason", label: "Error reason" },
];

/** Success, time and value of the account's transactions. */
export function AnalyticsPage(): ReactNode {
  const search = useSearch({ from: "/shell/analytics" });
  const filters: readonly Filter[] = [
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
    { kind: "choice", name: "service", label: "Service", options: useServiceOptions() },
    { kind: "choice", name: "operator", label: "Operator", options: useOperatorOptions() },
  ];
  return (
    <AnalyticsView
      about="Success, time and value of your transactions, compared with the period before."
      search={search}
      dimensions={DIMENSIONS}
      filters={filters}
      transactions={(wanted) => ({ to: "/transactions", search: wanted as never })}
    />
  );
}
