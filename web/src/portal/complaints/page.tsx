import { Outlet, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ComplaintCell, ComplaintList, NoComplaints, TransactionCell } from "../../complaints/list.tsx";
import type { Schemas } from "../../portal-api.ts";
import { Status } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import type { Column } from "../../ui/data-table.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useList } from "../api.ts";
import { useMay } from "../session.ts";

type Complaint = Schemas["Complaint"];

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
  const isAllowed = useMay("workers");
  const raise = isAllowed ? (
    <LinkButton to="/complaints/new" search={true}>
      Raise complaint
    </LinkButton>
  ) : undefined;
  return (
    <>
      <PageHeader title="Complaints" {...(raise === undefined ? {} : { actions: raise })}>
        Complaints about your transactions and their outcomes.
      </PageHeader>
      <ComplaintList list={list} columns={COLUMNS} filters={FILTERS} empty={<Empty filtered={search.status !== undefined} />} />
      <Outlet />
    </>
  );
}

const COLUMNS: readonly Column<Complaint>[] = [
  { header: "Complaint", cell: (row) => <ComplaintCell row={row} /> },
  { header: "Transaction", wideOnly: true, cell: (row) => <TransactionCell row={row}>{row.urid}</TransactionCell> },
  { header: "Status", cell: (row) => <Status value={row.status} /> },
  { header: "Raised", wideOnly: true, cell: (row) => <Time value={row.raised_at} /> },
  { header: "Decided or due by", right: true, wideOnly: true, cell: (row) => <Time value={row.resolved_at ?? row.due_by} /> },
];

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  return filtered ? (
    <NoComplaints>No complaint matches this filter. Change or clear the filter to see more.</NoComplaints>
  ) : (
    <NoComplaints code={CODE} codeTitle="Complaint request with the API">
      Complaints about your transactions will appear here. Raise one here, on a transaction's page, or with the API.
    </NoComplaints>
  );
}

const CODE = [
  `curl -X POST ${location.origin}/api/corp/v1/complaints \\`,
  `  -H "X-Api-Token: YOUR_API_TOKEN" \\`,
  `  -H "Content-Type: application/json" \\`,
  `  -d '{"order_id":"ORDER_ID","reason_code":"not_credited","description":"The customer has no benefit yet."}'`,
].join("\n");
