import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import { RadioTower } from "lucide-react";
import type { ReactNode } from "react";
import { hoursText, kindText, rateText } from "../../operators/labels.ts";
import { Badge, Status } from "../../ui/badge.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { Money } from "../../ui/money.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { type Operator, operatorsQuery, type Service, servicesQuery } from "../catalogue.ts";
import { ServiceState } from "./service-state.tsx";

const REFRESH_MILLISECONDS = 30_000;

export function OperatorsPage(): ReactNode {
  const services = useQuery({ ...servicesQuery, refetchInterval: REFRESH_MILLISECONDS });
  return (
    <>
      <PageHeader title="Operators and services">The services available to your account now, and the health of each operator.</PageHeader>
      <div className="space-y-8">
        <Card title="Services" flush>
          {services.error && services.data === undefined ? (
            <div className="p-5">
              <ErrorCard error={services.error} onRetry={() => void services.refetch()} />
            </div>
          ) : (
            <DataTable
              label="Services"
              columns={SERVICE_COLUMNS}
              rows={services.data}
              rowKey={(row) => row.service}
              link={(row) => ({ to: "/operators/services/$service", params: { service: row.service }, search: true, resetScroll: false })}
              empty={<EmptyState icon={RadioTower}>Services will appear here when the platform enables them.</EmptyState>}
            />
          )}
        </Card>
        <Operators />
      </div>
      <Outlet />
    </>
  );
}

function Operators(): ReactNode {
  const { kind, status } = useSearch({ from: "/shell/operators" });
  const { data, error, refetch } = useQuery({ ...operatorsQuery, refetchInterval: REFRESH_MILLISECONDS });
  const kinds = [...new Set(data?.map((row) => row.kind))];
  const filters: readonly Filter[] = [
    { kind: "choice", name: "kind", label: "Kind", options: kinds.map((value) => ({ value, label: kindText(value) })) },
    { kind: "choice", name: "status", label: "Health", options: HEALTH },
  ];
  const rows = data?.filter((row) => (kind === undefined || row.kind === kind) && (status === undefined || row.status === status));
  return (
    <section aria-labelledby="operators">
      <h2 id="operators" className="mb-3 text-base font-semibold">
        Recharge operators
      </h2>
      <FilterBar filters={filters} />
      <Card flush>
        {error && data === undefined ? (
          <div className="p-5">
            <ErrorCard error={error} onRetry={() => void refetch()} />
          </div>
        ) : (
          <DataTable
            label="Recharge operators"
            columns={OPERATOR_COLUMNS}
            rows={rows}
            rowKey={(row) => row.operator}
            link={(row) => ({ to: "/operators/$operator", params: { operator: row.operator }, search: true, resetScroll: false })}
            empty={<EmptyState icon={RadioTower}>No operator matches these filters. Change or clear the filters to see more.</EmptyState>}
          />
        )}
      </Card>
    </section>
  );
}

const HEALTH = [
  { value: "up", label: "Up" },
  { value: "slow", label: "Slow" },
  { value: "down", label: "Down" },
  { value: "off", label: "Off" },
];

const SERVICE_COLUMNS: readonly Column<Service>[] = [
  { header: "Service", cell: (row) => row.name },
  { header: "State", cell: (row) => <ServiceState service={row} /> },
  { header: "Hours (IST)", wideOnly: true, cell: (row) => <span className="tabular-nums">{hoursText(row)}</span> },
  {
    header: "Signing",
    wideOnly: true,
    cell: (row) => (
      <Badge tone={row.signing === "required" ? "accent" : "plain"}>{row.signing === "required" ? "Required" : "Optional"}</Badge>
    ),
  },
  { header: "Minimum", right: true, wideOnly: true, cell: (row) => <Limit value={row.limits.per_transaction_min} /> },
  { header: "Maximum", right: true, wideOnly: true, cell: (row) => <Limit value={row.limits.per_transaction_max} /> },
];

const OPERATOR_COLUMNS: readonly Column<Operator>[] = [
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
  { header: "Health", cell: (row) => <Status value={row.status} /> },
  { header: "Success, last hour", right: true, cell: (row) => <span className="tabular-nums">{rateText(row.success_rate_1h)}</span> },
  { header: "Minimum", right: true, wideOnly: true, cell: (row) => <Money value={row.min_amount} /> },
  { header: "Maximum", right: true, wideOnly: true, cell: (row) => <Money value={row.max_amount} /> },
];

function Limit({ value }: { readonly value: string | null }): ReactNode {
  return value === null ? <span className="text-soft">–</span> : <Money value={value} />;
}
