import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import { BriefcaseBusiness } from "lucide-react";
import type { ReactNode } from "react";
import { rateText } from "../../operators/labels.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { OPERATIONS, useMay } from "../session.ts";
import { CONNECTOR_NAMES, type Provider, providersQuery } from "./provider.ts";
import { ProviderStatus } from "./provider-status.tsx";
import { UnknownProviderCallbacks } from "./refused-callbacks.tsx";

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "search", label: "Provider", placeholder: "Name" },
  {
    kind: "choice",
    name: "status",
    label: "State",
    options: [
      { value: "up", label: "Up" },
      { value: "slow", label: "Slow" },
      { value: "down", label: "Down" },
      { value: "idle", label: "Not contacted in the last hour" },
      { value: "off", label: "Off" },
      { value: "incomplete", label: "Incomplete" },
    ],
  },
];

const COLUMNS: readonly Column<Provider>[] = [
  { header: "Provider", cell: (row) => row.provider },
  { header: "Connector", wideOnly: true, cell: (row) => CONNECTOR_NAMES[row.connector] },
  { header: "State", cell: (row) => <ProviderStatus status={row.status} /> },
  {
    header: "Success, last hour",
    right: true,
    sort: (row) => row.success_rate_1h ?? -1,
    cell: (row) => <span className="tabular-nums">{rateText(row.success_rate_1h)}</span>,
  },
  { header: "Sent, last hour", right: true, wideOnly: true, cell: (row) => <Sent row={row} /> },
  { header: "Balance", right: true, wideOnly: true, cell: (row) => (row.balance === null ? "–" : <Money value={row.balance.amount} />) },
  { header: "Routes", right: true, wideOnly: true, cell: (row) => <span className="tabular-nums">{row.routes}</span> },
  { header: "Breakers open", right: true, wideOnly: true, cell: (row) => <span className="tabular-nums">{row.breakers_open}</span> },
];

function Sent({ row: { last_hour: counts } }: { readonly row: Provider }): ReactNode {
  const all = counts.succeeded + counts.declined + counts.pending + counts.unheard;
  return <span className="tabular-nums">{countText(all)}</span>;
}

/** The providers that carry out orders. */
export function ProvidersPage(): ReactNode {
  const { search, status } = useSearch({ from: "/console/providers" });
  const isAllowed = useMay(OPERATIONS);
  const { data, error, refetch } = useQuery(providersQuery);
  const rows = data?.filter((row) => row.provider.includes(search?.toLowerCase() ?? "") && (status ?? row.status) === row.status);
  const add = (
    <LinkButton look="primary" to="/providers/new">
      New provider
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Providers" {...(isAllowed ? { actions: add } : {})}>
        The providers that carry out clients' orders. The figures are from this process in the last hour.
      </PageHeader>
      <FilterBar filters={FILTERS} />
      <Card flush>
        {error && data === undefined ? (
          <div className="p-5">
            <ErrorCard error={error} onRetry={() => void refetch()} />
          </div>
        ) : (
          <DataTable
            label="Providers"
            columns={COLUMNS}
            rows={rows}
            rowKey={(row) => row.provider}
            link={(row) => ({ to: "/providers/$provider", params: { provider: row.provider }, search: true })}
            empty={
              <EmptyState icon={BriefcaseBusiness}>No provider matches these filters. Change or clear the filters to see more.</EmptyState>
            }
          />
        )}
      </Card>
      <UnknownProviderCallbacks />
      <Outlet />
    </>
  );
}
