import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ClipboardCheck, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { PartNav } from "../../ui/part-nav.tsx";
import { useList } from "../api.ts";
import { OPERATIONS, useMay } from "../session.ts";
import { NewClient } from "./new-client.tsx";
import { countsQuery, type OnboardingSummary } from "./onboarding.ts";
import { Pending, StateBadge } from "./state-badge.tsx";

type View = {
  readonly view: string;
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly count?: "kyc" | "agreement" | "draft" | "returned";
  readonly empty: string;
};

const KYC_VIEW: View = {
  view: "kyc",
  name: "KYC pending",
  query: { waiting: "kyc" },
  count: "kyc",
  empty: "Submitted applications whose KYC waits for a reviewer will appear here.",
};
const VIEWS: readonly View[] = [
  KYC_VIEW,
  {
    view: "agreement",
    name: "Agreement pending",
    query: { waiting: "agreement" },
    count: "agreement",
    empty: "Submitted applications whose agreement waits for a reviewer will appear here.",
  },
  {
    view: "draft",
    name: "Drafts",
    query: { state: "draft" },
    count: "draft",
    empty: "Applications that are not submitted yet will appear here.",
  },
  {
    view: "returned",
    name: "Returned",
    query: { state: "returned" },
    count: "returned",
    empty: "Applications that a reviewer returned will appear here, with the reason.",
  },
  { view: "completed", name: "Completed", query: { state: "completed" }, empty: "Clients whose onboarding is complete will appear here." },
];

const FILTERS: readonly Filter[] = [{ kind: "search", name: "search", label: "Search", placeholder: "Name, PAN or GSTIN" }];

/** Applications of new clients, by what they wait for. */
export function OnboardingPage(): ReactNode {
  const { view, search } = useSearch({ from: "/console/onboarding" });
  const shown = VIEWS.find((one) => one.view === view) ?? KYC_VIEW;
  const list = useList("/onboardings", { ...shown.query, search });
  const { data: counts } = useQuery(countsQuery);
  const [adding, setAdding] = useState(false);
  const mayAdd = useMay(OPERATIONS);
  const add = mayAdd && (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      New client
    </Button>
  );
  return (
    <>
      <PageHeader title="Onboarding" actions={add}>
        New clients from the first draft to the approval of KYC and agreement. Until both are approved, a client cannot transact.
      </PageHeader>
      <PartNav
        label="Queue views"
        parts={VIEWS.map((one) => ({
          to: "/onboarding",
          search: { view: one.view },
          label: <ViewLabel name={one.name} count={one.count === undefined ? 0 : (counts?.[one.count] ?? 0)} />,
        }))}
      />
      <FilterBar filters={FILTERS} />
      <Card flush>
        <ListTable
          label="Applications"
          list={list}
          columns={COLUMNS}
          rowKey={(row) => row.account_id}
          link={(row) => ({ to: "/onboarding/$accountId", params: { accountId: row.account_id } })}
          empty={
            <EmptyState icon={ClipboardCheck} action={search === undefined ? add : undefined}>
              {search === undefined ? shown.empty : "No application in this view matches the search."}
            </EmptyState>
          }
        />
      </Card>
      {adding && <NewClient onClose={() => setAdding(false)} />}
    </>
  );
}

function ViewLabel({ name, count }: { readonly name: string; readonly count: number }): ReactNode {
  return count === 0 ? (
    name
  ) : (
    <>
      {name} <Badge tone="wait">{countText(count)}</Badge>
    </>
  );
}

const COLUMNS: readonly Column<OnboardingSummary>[] = [
  {
    header: "Client",
    cell: (row) => (
      <span className="block min-w-0">
        <span className="block break-words">{row.name}</span>
        {row.legal_name !== null && <span className="block break-words font-normal text-soft text-xs">{row.legal_name}</span>}
      </span>
    ),
  },
  { header: "GSTIN", wideOnly: true, cell: (row) => <span className="font-mono text-[0.8125rem]">{row.gstin ?? "–"}</span> },
  { header: "State", cell: (row) => <StateBadge state={row.state} /> },
  { header: "KYC", wideOnly: true, cell: (row) => <Pending done={row.kyc === "verified"} label="Verified" /> },
  { header: "Agreement", wideOnly: true, cell: (row) => <Pending done={row.agreement === "signed"} label="Signed" /> },
  { header: "Submitted", wideOnly: true, cell: (row) => (row.submitted_at === null ? "–" : <Time value={row.submitted_at} />) },
];
