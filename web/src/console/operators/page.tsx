import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { matchingOperators, operatorFilters } from "../../operators/operator.ts";
import { FIRST_COLUMNS, OperatorTable, RATE_COLUMN } from "../../operators/operators.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { triedText } from "../routing-plan/routing-plan.ts";
import { type Operator, operatorsQuery } from "./operators.ts";

const SEARCH: Filter = { kind: "search", name: "search", label: "Operator", placeholder: "Name or code" };

const COLUMNS: readonly Column<Operator>[] = [
  ...FIRST_COLUMNS,
  { ...RATE_COLUMN, wideOnly: true },
  { header: "Provider", cell: (row) => <span className="break-words">{triedText(row.providers)}</span> },
];

/** The recharge operators with their health, providers and switch. */
export function OperatorsPage(): ReactNode {
  const search = useSearch({ from: "/console/operators" });
  const query = useQuery(operatorsQuery);
  return (
    <>
      <PageHeader title="Operators">
        The operators clients can recharge. Health covers this process's orders of the last five minutes, the success rate those of the last
        hour. A switch takes effect in all processes immediately.
      </PageHeader>
      <FilterBar filters={[SEARCH, ...operatorFilters(query.data)]} />
      <OperatorTable label="Operators" query={query} rows={matchingOperators(query.data, search)} columns={COLUMNS} />
      <Outlet />
    </>
  );
}
