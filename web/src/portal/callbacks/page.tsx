import { Outlet, useSearch } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { type Callback, KIND_NAMES } from "../../callbacks/callback.ts";
import { DeliveryState, LastAnswer } from "../../callbacks/delivery.tsx";
import { Status } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { type Column, ListTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { useList } from "../../ui/list.ts";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useMay } from "../session.ts";
import { RecoverButton, RecoverJob } from "./recover.tsx";

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "order_id", label: "Order id", placeholder: "Find by order id" },
  {
    kind: "choice",
    name: "state",
    label: "State",
    options: [
      { value: "waiting", label: "Waiting or failing" },
      { value: "delivered", label: "Delivered" },
      { value: "parked", label: "Parked (no URL)" },
      { value: "paused", label: "Paused" },
    ],
  },
  {
    kind: "choice",
    name: "kind",
    label: "Kind",
    options: [
      { value: "status", label: "Status" },
      { value: "complaint", label: "Complaint" },
    ],
  },
];

const COLUMNS: readonly Column<Callback>[] = [
  { header: "Order", cell: (row) => <span className="font-mono text-[0.8125rem]">{row.order_id}</span> },
  { header: "Kind", wideOnly: true, cell: (row) => KIND_NAMES[row.kind] },
  { header: "Says", wideOnly: true, cell: (row) => <Status value={row.status} /> },
  {
    header: "Delivery",
    cell: (row) => <DeliveryState callback={row} />,
  },
  { header: "Attempts", right: true, wideOnly: true, cell: (row) => <span className="tabular-nums">{row.attempts}</span> },
  { header: "Last answer", wideOnly: true, cell: (row) => <LastAnswer row={row} /> },
  { header: "Next attempt", wideOnly: true, cell: (row) => <Time value={row.next_at} none="–" /> },
  { header: "Created", wideOnly: true, cell: (row) => <Time value={row.created_at} /> },
];

export function CallbacksPage(): ReactNode {
  const { job, ...query } = useSearch({ from: "/shell/callbacks" });
  const may = useMay("workers");
  const list = useList<Callback>("/callbacks", query, 5_000);
  const filtered = Object.keys(query).length > 0;
  return (
    <>
      <PageHeader title="Callbacks" {...(may ? { actions: <RecoverButton /> } : {})}>
        What your servers were told, and what they answered. Nothing is given up while there is a URL.
      </PageHeader>
      <RecoverJob jobId={job} />
      <FilterBar filters={FILTERS} />
      <Card flush>
        <ListTable
          label="Callbacks"
          columns={COLUMNS}
          list={list}
          rowKey={(row) => row.callback_id}
          link={(row) => ({ to: "/callbacks/$callbackId", params: { callbackId: row.callback_id }, search: true })}
          empty={filtered ? <NothingFits /> : <NoCallbacks />}
        />
      </Card>
      <Outlet />
    </>
  );
}

function NothingFits(): ReactNode {
  return <EmptyState icon={Webhook}>No callback fits these filters; those that do will stand here.</EmptyState>;
}

function NoCallbacks(): ReactNode {
  return (
    <EmptyState
      icon={Webhook}
      action={<LinkButton to="/api-access">Set the callback URL</LinkButton>}
      codeTitle="A recharge that is pending first"
      code={`curl ${location.origin}/api/corp/v1/recharge -H "X-Api-Token: $API_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"urid":"first-1","operator":"AIRTEL","account":"9876543210","amount":"199"}'`}
    >
      Every callback will stand here as soon as a transaction that was pending becomes final.
    </EmptyState>
  );
}
