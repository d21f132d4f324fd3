import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AnalyticsView, type Dimension } from "../../analytics/analytics-page.tsx";
import { analyticsText } from "../../messages/en/analytics.ts";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { useOperatorOptions, useServiceOptions } from "../catalogue.ts";

const DIMENSIONS: readonly Dimension[] = [
  { value: "operator", label: analyticsText.operator },
  { value: "circle", label: analyticsText.circle },
  { value: "service", label: analyticsText.service },
  { value: "reason", label: analyticsText.errorReason },
];

/** Success, time and value of the account's transactions. */
export function AnalyticsPage(): ReactNode {
  const search = useSearch({ from: "/shell/analytics" });
  const filters: readonly Filter[] = [
    { kind: "day", name: "from", label: analyticsText.fromDay },
    { kind: "day", name: "to", label: analyticsText.to },
    { kind: "choice", name: "service", label: analyticsText.service, options: useServiceOptions() },
    { kind: "choice", name: "operator", label: analyticsText.operator, options: useOperatorOptions() },
  ];
  return (
    <AnalyticsView
      about={analyticsText.successTimeAndValueOf}
      search={search}
      dimensions={DIMENSIONS}
      filters={filters}
      transactions={(wanted) => ({ to: "/transactions", search: wanted as never })}
    />
  );
}
