import { Outlet, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ComplaintCell, ComplaintList, NoComplaints, TransactionCell } from "../../complaints/list.tsx";
import { complaintsText } from "../../messages/en/complaints.ts";
import type { Schemas } from "../../portal-api.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { useMay } from "../session.ts";

type Complaint = Schemas["Complaint"];

const REFRESH_MILLISECONDS = 15_000;
const FILTERS: readonly Filter[] = [
  { kind: "search", name: "search", label: complaintsText.search, placeholder: complaintsText.searchPlaceholder },
  {
    kind: "choice",
    name: "status",
    label: complaintsText.status,
    options: [
      { value: "OPEN", label: complaintsText.open },
      { value: "RESOLVED", label: complaintsText.resolved },
      { value: "REFUNDED", label: complaintsText.refunded },
    ],
  },
  { kind: "day", name: "from", label: complaintsText.raisedFrom },
  { kind: "day", name: "to", label: complaintsText.raisedTo },
];

export function ComplaintsPage(): ReactNode {
  // The drawer that raises a complaint has a search parameter of its own.
  const { search, status, from, to } = useSearch({ from: "/shell/complaints" });
  const filters = { search, status, from, to };
  const list = useList("/complaints", filters, REFRESH_MILLISECONDS);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const isAllowed = useMay("workers");
  const raise = isAllowed ? (
    <LinkButton to="/complaints/new" search={true}>
      {complaintsText.raiseComplaint}
    </LinkButton>
  ) : undefined;
  return (
    <>
      <PageHeader title={complaintsText.complaints} {...(raise === undefined ? {} : { actions: raise })}>
        {complaintsText.complaintsAboutYourTransactionsAnd}
      </PageHeader>
      <ComplaintList list={list} columns={COLUMNS} filters={FILTERS} empty={<Empty filtered={isFiltered} />} />
      <Outlet />
    </>
  );
}

const COLUMNS: readonly Column<Complaint>[] = [
  { header: complaintsText.complaint, cell: (row) => <ComplaintCell row={row} /> },
  { header: complaintsText.transaction, wideOnly: true, cell: (row) => <TransactionCell row={row}>{row.urid}</TransactionCell> },
  { header: complaintsText.status, cell: (row) => <Status value={row.status} /> },
  { header: complaintsText.raised, wideOnly: true, sort: (row) => row.raised_at, cell: (row) => <Time value={row.raised_at} /> },
  {
    header: complaintsText.decidedOrDueBy,
    right: true,
    wideOnly: true,
    sort: (row) => row.resolved_at ?? row.due_by,
    cell: (row) => <Time value={row.resolved_at ?? row.due_by} />,
  },
];

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  return filtered ? (
    <NoComplaints>{complaintsText.noComplaintMatchesTheseFilters}</NoComplaints>
  ) : (
    <NoComplaints code={CODE} codeTitle={complaintsText.complaintRequestWithTheApi}>
      {complaintsText.complaintsAboutYourTransactionsWill}
    </NoComplaints>
  );
}

const CODE = [
  `curl -X POST ${location.origin}/api/corp/v1/complaints \\`,
  `  -H "X-Api-Token: YOUR_API_TOKEN" \\`,
  `  -H "Content-Type: application/json" \\`,
  `  -d '{"order_id":"ORDER_ID","reason":"not_credited","description":"The customer has no benefit yet."}'`,
].join("\n");
