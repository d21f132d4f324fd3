import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ComplaintCell, ComplaintList, NoComplaints, TransactionCell } from "../../complaints/list.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Badge, Status } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { PartNav } from "../../ui/part-nav.tsx";
import { ACCOUNT_FILTER } from "../clients/account-filter.tsx";
import { AssignedName } from "../work/assigned-name.tsx";
import { useAssigneeFilter } from "../work/work.ts";
import { type Complaint, type ViewCounts, viewsQuery } from "./complaint.ts";
import { Due } from "./due.tsx";
import { useComplaintQueue } from "./queue.ts";

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "search", label: "Search", placeholder: "Complaint, order, number, client" },
  ACCOUNT_FILTER,
];

/** The complaint queue, in views by due time and state. */
export function ComplaintsPage(): ReactNode {
  const { view, ...filters } = useSearch({ from: "/console/complaints" });
  const list = useComplaintQueue();
  const assignee = useAssigneeFilter();
  const { data: counts } = useQuery(viewsQuery);
  return (
    <>
      <PageHeader title="Complaints">Complaints from clients about their transactions. Decide each one by its due time.</PageHeader>
      <PartNav
        label="Queue views"
        parts={QUEUE_VIEWS.map((queue) => ({ to: "/complaints", search: { view: queue.view }, label: viewLabel(queue, counts) }))}
      />
      <ComplaintList
        list={list}
        columns={COLUMNS}
        filters={[...FILTERS, assignee]}
        empty={<Empty view={view} filtered={Object.keys(filters).length > 0} dueLater={counts?.open ?? 0} />}
      />
      <Outlet />
    </>
  );
}

type QueueView = { readonly view: string; readonly name: string; readonly count?: keyof ViewCounts; readonly empty: string };

const QUEUE_VIEWS: readonly QueueView[] = [
  {
    view: "due",
    name: "Due today or overdue",
    count: "due",
    empty: "No complaint is due today. Complaints will appear here on the day by which they must be decided.",
  },
  {
    view: "open",
    name: "Open, due later",
    count: "open",
    empty: "No complaint is due on a later day. New complaints will appear here until the day by which they must be decided.",
  },
  {
    view: "refund_blocked",
    name: "Refund blocked",
    count: "refund_blocked",
    empty: "Complaints whose refund could not be posted will appear here, with the cause.",
  },
  { view: "decided", name: "Decided", empty: "Decided complaints will appear here." },
];

function viewLabel({ name, count }: QueueView, counts: ViewCounts | undefined): ReactNode {
  if (count === undefined || counts === undefined || counts[count] === 0) return name;
  const urgent = count === "refund_blocked" || (count === "due" && counts.overdue > 0);
  return (
    <>
      {name} <Badge tone={urgent ? "bad" : "wait"}>{countText(counts[count])}</Badge>
    </>
  );
}

const COLUMNS: readonly Column<Complaint>[] = [
  {
    header: "Complaint",
    cell: (row) => (
      <ComplaintCell row={row}>
        <span className="block font-normal text-soft text-xs sm:hidden">{row.account_name}</span>
      </ComplaintCell>
    ),
  },
  {
    header: "Client",
    wideOnly: true,
    sort: (row) => row.account_name,
    cell: (row) => (
      <span className="block max-w-44 truncate" title={row.account_name}>
        {row.account_name}
      </span>
    ),
  },
  { header: "Transaction", wideOnly: true, cell: (row) => <TransactionCell row={row}>{row.account}</TransactionCell> },
  { header: "Amount", right: true, wideOnly: true, sort: (row) => Number(row.amount), cell: (row) => <Money value={row.amount} /> },
  {
    header: "Status",
    wideOnly: true,
    cell: (row) => (
      <>
        {row.stage === "refund_blocked" ? <Badge tone="bad">Refund blocked</Badge> : <Status value={row.status} />}
        <AssignedName userId={row.assigned_to} />
      </>
    ),
  },
  {
    header: "Due or decided",
    right: true,
    cell: (row) => (row.resolved_at === null ? <Due by={row.due_by} /> : <Time value={row.resolved_at} />),
  },
];

type EmptyProps = { readonly view: string; readonly filtered: boolean; readonly dueLater: number };

function Empty({ view, filtered, dueLater }: EmptyProps): ReactNode {
  if (!filtered) {
    const later = (
      <LinkButton to="/complaints" search={{ view: "open" }}>
        Show complaints due later
      </LinkButton>
    );
    return (
      <NoComplaints {...(view === "due" && dueLater > 0 ? { action: later } : {})}>
        {QUEUE_VIEWS.find((queue) => queue.view === view)?.empty ?? "No complaints."}
      </NoComplaints>
    );
  }
  const clear = (
    <LinkButton to="/complaints" search={{ view }}>
      Clear filters
    </LinkButton>
  );
  return <NoComplaints action={clear}>No complaint in this view matches these filters.</NoComplaints>;
}
