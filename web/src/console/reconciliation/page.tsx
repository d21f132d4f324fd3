import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import { Scale } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { countText, dayText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { providerOptionsQuery } from "../names.ts";
import { SETTLERS, useMay } from "../session.ts";
import type { Reconciliation } from "./data.ts";

const REFRESH_MILLISECONDS = 5_000;
const STATES = ["uploaded", "running", "done", "failed", "cancelled"].map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** The list of reconciliations. */
export function ReconciliationsPage(): ReactNode {
  const search = useSearch({ from: "/console/reconciliation" });
  const list = useList("/reconciliations", search, REFRESH_MILLISECONDS);
  const isAllowed = useMay(SETTLERS);
  const { data: providers = [] } = useQuery(providerOptionsQuery);
  const filters: readonly Filter[] = [
    { kind: "choice", name: "provider", label: "Provider", options: providers },
    { kind: "choice", name: "state", label: "State", options: STATES },
  ];
  const upload = (
    <LinkButton to="/reconciliation/upload" search={search} look="primary">
      Upload file
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Reconciliation" {...(isAllowed ? { actions: upload } : {})}>
        Compares a provider's list of a day's orders with ours: matching, missing and differing orders.
      </PageHeader>
      <FilterBar filters={filters} />
      <Card flush>
        <ListTable
          label="Reconciliations"
          list={list}
          columns={COLUMNS}
          rowKey={(reconciliation) => reconciliation.reconciliation_id}
          link={(reconciliation) => ({
            to: "/reconciliation/$reconciliationId",
            params: { reconciliationId: reconciliation.reconciliation_id },
          })}
          empty={<Empty filtered={Object.keys(search).length > 0} upload={isAllowed ? upload : null} />}
        />
      </Card>
      <Outlet />
    </>
  );
}

const COLUMNS: readonly Column<Reconciliation>[] = [
  {
    header: "Provider and day",
    cell: (reconciliation) => (
      <span className="block min-w-0">
        {reconciliation.provider}
        <span className="block font-normal text-soft text-xs tabular-nums">{dayText(reconciliation.day)}</span>
      </span>
    ),
  },
  { header: "File", wideOnly: true, cell: (reconciliation) => <span className="wrap-anywhere">{reconciliation.name}</span> },
  {
    header: "Rows",
    right: true,
    wideOnly: true,
    cell: (reconciliation) => <span className="tabular-nums">{countText(reconciliation.rows)}</span>,
  },
  { header: "State", cell: (reconciliation) => <Status value={reconciliation.state} /> },
  { header: "Open", right: true, cell: (reconciliation) => <Open reconciliation={reconciliation} /> },
  { header: "Uploaded", wideOnly: true, cell: (reconciliation) => <Time value={reconciliation.created_at} /> },
];

function Open({ reconciliation }: { readonly reconciliation: Reconciliation }): ReactNode {
  if (reconciliation.state !== "done") return <span className="text-soft">–</span>;
  return reconciliation.open === 0 ? (
    <span className="text-soft">None</span>
  ) : (
    <span className="font-medium tabular-nums">{countText(reconciliation.open)}</span>
  );
}

const EXAMPLE = `curl "${location.origin}/api/operator/v1/reconciliations?provider=simulator&day=2026-03-05&name=day.csv" \\
  -H "Authorization: Bearer opk_..." -H "Content-Type: text/csv" --data-binary @day.csv`;

function Empty({ filtered, upload }: { readonly filtered: boolean; readonly upload: ReactNode }): ReactNode {
  if (filtered)
    return <EmptyState icon={Scale}>No reconciliation matches these filters. Change or clear the filters to see more.</EmptyState>;
  return (
    <EmptyState icon={Scale} action={upload} code={EXAMPLE} codeTitle="Upload with the operator API">
      Reconciled days will appear here with their open differences. Upload a provider's file to start.
    </EmptyState>
  );
}
