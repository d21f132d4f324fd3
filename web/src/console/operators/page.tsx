import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import { RadioTower } from "lucide-react";
import type { ReactNode } from "react";
import { kindText, rateText } from "../../operators/labels.ts";
import { Status } from "../../ui/badge.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { triedText } from "../routing-plan/routing-plan.ts";
import { type Operator, operatorsQuery } from "./operators.ts";

const HEALTH = [
  { value: "up", label: "Up" },
  { value: "slow", label: "Slow" },
  { value: "down", label: "Down" },
  { value: "off", label: "Off" },
];

const COLUMNS: readonly Column<Operator>[] = [
  {
    header: "Operator",
    cell: (row) => (
      <span className="block">
        {row.name}
        <span className="block font-mono font-normal text-soft text-xs">{row.operator}</span>
      </span>
    ),
  },
  { header: "Kind", wideOnly: true, cell: (row) => kindText(row.kind) },
  { header: "State", cell: (row) => <Status value={row.status} /> },
  { header: "Success, last hour", right: true, wideOnly: true, cell: (row) => <Rate rate={row.success_rate_1h} /> },
  { header: "Provider", cell: (row) => <span className="break-words">{triedText(row.providers)}</span> },
];

function Rate({ rate }: { readonly rate: number | null }): ReactNode {
  return <span className="tabular-nums">{rateText(rate)}</span>;
}

/** The recharge operators with their health, providers and switch. */
export function OperatorsPage(): ReactNode {
  const { search, kind, status } = useSearch({ from: "/console/operators" });
  const { data, error, refetch } = useQuery(operatorsQuery);
  const kinds = [...new Set(data?.map((operator) => operator.kind))].map((value) => ({ value, label: kindText(value) }));
  const filters: readonly Filter[] = [
    { kind: "search", name: "search", label: "Operator", placeholder: "Name or code" },
    { kind: "choice", name: "kind", label: "Kind", options: kinds },
    { kind: "choice", name: "status", label: "State", options: HEALTH },
  ];
  const wanted = search?.toLowerCase() ?? "";
  const rows = data?.filter(
    (row) =>
      `${row.name} ${row.operator}`.toLowerCase().includes(wanted) &&
      (kind ?? row.kind) === row.kind &&
      (status ?? row.status) === row.status,
  );
  return (
    <>
      <PageHeader title="Operators">
        The operators clients can recharge. Health is based on this process's orders in the last hour. A switch takes effect in all
        processes immediately.
      </PageHeader>
      <FilterBar filters={filters} />
      <Card flush>
        {error && data === undefined ? (
          <div className="p-5">
            <ErrorCard error={error} onRetry={() => void refetch()} />
          </div>
        ) : (
          <DataTable
            label="Operators"
            columns={COLUMNS}
            rows={rows}
            rowKey={(row) => row.operator}
            link={(row) => ({ to: "/operators/$operator", params: { operator: row.operator }, search: true })}
            empty={<EmptyState icon={RadioTower}>No operator matches these filters. Change or clear the filters to see more.</EmptyState>}
          />
        )}
      </Card>
      <Outlet />
    </>
  );
}
