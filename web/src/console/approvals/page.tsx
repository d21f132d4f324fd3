import { Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { UsersRound } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useList } from "../api.ts";
import { type Approval, KIND_OPTIONS, kindText, stateOf, whoText } from "./approval.ts";
import { RulesCard } from "./rules-card.tsx";

type ListView = "waiting" | "decided";

const FILTERS: readonly Filter[] = [{ kind: "choice", name: "kind", label: "Kind", options: KIND_OPTIONS }];
const POLL_MILLISECONDS = 5_000;

export function ApprovalsPage(): ReactNode {
  const { view = "waiting", kind } = useSearch({ from: "/console/approvals" });
  const navigate = useNavigate();
  const choose = (chosen: string) => void navigate({ to: ".", search: { view: chosen, kind } as never, replace: true });
  const tabs = [
    { value: "waiting", label: "Waiting", content: <List view="waiting" kind={kind} /> },
    { value: "decided", label: "Decided", content: <List view="decided" kind={kind} /> },
    { value: "rules", label: "Rules", content: <RulesCard /> },
  ];
  return (
    <>
      <PageHeader title="Approvals">
        Changes that need a second person wait here until somebody else approves or rejects them. You cannot approve your own requests.
      </PageHeader>
      <Tabs label="Approvals" tabs={tabs} value={view} onChange={choose} />
      <Outlet />
    </>
  );
}

const COLUMNS: readonly Column<Approval>[] = [
  { header: "Request", cell: (approval) => <RequestName approval={approval} /> },
  { header: "Amount", right: true, cell: (approval) => (approval.amount === null ? "" : <Money value={approval.amount} />) },
];
const REQUESTED_BY: Column<Approval> = {
  header: "Requested by",
  cell: (approval) => (
    <span className="[overflow-wrap:anywhere]">{approval.mine ? "You" : whoText(approval.made_by, approval.made_by_name)}</span>
  ),
};

const COLUMNS_BY_VIEW: Readonly<Record<ListView, readonly Column<Approval>[]>> = {
  waiting: [...COLUMNS, REQUESTED_BY, { header: "Expires", wideOnly: true, cell: (approval) => <Time value={approval.expires_at} /> }],
  decided: [
    ...COLUMNS,
    { ...REQUESTED_BY, wideOnly: true },
    { header: "State", cell: (approval) => <Status {...stateOf(approval)} /> },
    { header: "Decided", wideOnly: true, cell: (approval) => <Time value={approval.decided_at} /> },
  ],
};

const NONE: Readonly<Record<ListView, string>> = {
  waiting: "No requests are waiting. Set a threshold under Rules; changes that reach it will appear here until a second person decides.",
  decided: "Requests that were approved, rejected, withdrawn or expired will appear here.",
};

function List({ view, kind }: { readonly view: ListView; readonly kind: string | undefined }): ReactNode {
  const list = useList("/approvals", { state: view, kind }, POLL_MILLISECONDS);
  return (
    <>
      <FilterBar filters={FILTERS} />
      <Card flush>
        <ListTable
          label={view === "waiting" ? "Waiting approvals" : "Decided approvals"}
          list={list}
          columns={COLUMNS_BY_VIEW[view]}
          rowKey={(approval) => approval.approval_id}
          link={(approval) => ({ to: "/approvals/$approvalId", params: { approvalId: approval.approval_id }, search: true })}
          empty={<EmptyState icon={UsersRound}>{kind === undefined ? NONE[view] : "No request of this kind is in this list."}</EmptyState>}
        />
      </Card>
    </>
  );
}

function RequestName({ approval }: { readonly approval: Approval }): ReactNode {
  const { all_accounts: forAll, provider } = approval.input;
  const about =
    approval.account_name ?? approval.account_id ?? (forAll === true ? "All accounts" : typeof provider === "string" ? provider : null);
  return (
    <span className="block min-w-0">
      {kindText(approval)}
      {about !== null && <span className="block break-words font-normal text-soft text-xs">{about}</span>}
    </span>
  );
}
