import { Outlet, useSearch } from "@tanstack/react-router";
import { MessageSquareWarning } from "lucide-react";
import type { ReactNode } from "react";
import { reasonText } from "../../complaints/labels.ts";
import { Status } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { type Column, ListTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useList } from "../api.ts";
import { useMay } from "../session.ts";
import type { Complaint } from "./data.ts";

const REFRESH_MILLISECONDS = 15_000;
const FILTERS: readonly Filter[] = [
  {
    kind: "choice",
    name: "status",
    label: "Status",
    options: [
      { value: "OPEN", label: "Open" },
      { value: "RESOLVED", label: "Resolved" },
      { value: "REFUNDED", label: "Refunded" },
    ],
  },
];

export function ComplaintsPage(): ReactNode {
  const search = useSearch({ from: "/shell/complaints" });
  const list = useList("/complaints", { status: search.status }, REFRESH_MILLISECONDS);
  const may = useMay("workers");
  const raise = may ? (
    <LinkButton to="/complaints/new" search={true}>
      Raise complaint
    </LinkButton>
  ) : undefined;
  return (
    <>
      <PageHeader title="Complaints" {...(raise === undefined ? {} : { actions: raise })}>
        Complaints about your transactions and their outcomes.
      </PageHeader>
      <FilterBar filters={FILTERS} />
      <Card flush>
        <ListTable
          label="Complaints"
          list={list}
          columns={COLUMNS}
          rowKey={(row) => row.complaint_ref}
          link={(row) => ({
            to: "/complaints/$complaintRef",
            params: { complaintRef: row.complaint_ref },
            search: { status: search.status } as never,
          })}
          empty={<Empty filtered={search.status !== undefined} />}
        />
      </Card>
      <Outlet />
    </>
  );
}

const COLUMNS: readonly Column<Complaint>[] = [
  {
    header: "Complaint",
    cell: (row) => (
      <span className="block">
        <span className="font-mono text-[0.8125rem]">{row.complaint_ref}</span>
        <span className="block font-normal text-soft text-xs">{reasonText(row.reason_code)}</span>
      </span>
    ),
  },
  {
    header: "Transaction",
    wideOnly: true,
    cell: (row) => (
      <span className="block max-w-56 font-mono text-[0.8125rem]">
        {row.order_id}
        <span className="block truncate text-soft text-xs">{row.urid}</span>
      </span>
    ),
  },
  { header: "Status", cell: (row) => <Status value={row.status} /> },
  { header: "Raised", wideOnly: true, cell: (row) => <Time value={row.raised_at} /> },
  {
    header: "Decided or due by",
    right: true,
    wideOnly: true,
    cell: (row) => (row.resolved_at === null ? <Time value={row.due_by} /> : <Time value={row.resolved_at} />),
  },
];

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  return filtered ? (
    <EmptyState icon={MessageSquareWarning}>No complaint matches this filter. Change or clear the filter to see more.</EmptyState>
  ) : (
    <EmptyState icon={MessageSquareWarning} code={CODE} codeTitle="Complaint request with the API">
      Complaints about your transactions will appear here. Raise one here, on a transaction's page, or with the API.
    </EmptyState>
  );
}

const CODE = [
  `curl -X POST ${location.origin}/api/corp/v1/complaints \\`,
  `  -H "X-Api-Token: YOUR_API_TOKEN" \\`,
  `  -H "Content-Type: application/json" \\`,
  `  -d '{"order_id":"ORDER_ID","reason_code":"not_credited","description":"The customer has no benefit yet."}'`,
].join("\n");
